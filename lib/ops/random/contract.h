#pragma once
// random: numbers of a distribution, each from a seed and its place in the sequence.

#include <array>
#include <cstdint>
#include <limits>

#include "lib/core/registry.h"
#include "tandem/random.h"

namespace tandem {

struct Random {
  static constexpr const char* name = "random";
  static constexpr const char* meaning = "random numbers of a distribution, keyed by seed and element";
  static constexpr std::array<std::string_view, 9> variants = {
      "uniform",      "normal",           "log-normal",    "Poisson",          "Sobol uniform",
      "Sobol normal", "Sobol log-normal", "Sobol Poisson", "Poisson, above 64"};
  static constexpr std::size_t kPoissonAbove64 = variants.size() - 1;

  using Kind = detail::DistributionKind;

  struct Shape {
    std::int64_t n;
    Kind kind = Kind::uniform;
    Generator generator = Generator::philox;
    bool unit = true;       // uniform numbers are those of [0, 1), or all integers
    int dimensions = 1;     // of Sobol's points
    double mean = 0;        // of Poisson numbers
    bool portable = false;  // these numbers and no others of the distribution
    /// One word for each number.
    bool by_quantile() const { return mean <= Poisson<>::kMostByQuantile; }
    /// Where the distribution stands among the variants, whatever its parameters.
    std::size_t distribution_index() const {
      return static_cast<std::size_t>(kind) + (generator == Generator::sobol ? 4 : 0);
    }
    std::size_t variant() const { return by_quantile() ? distribution_index() : kPoissonAbove64; }
  };

  /// The automatic choice makes the numbers that the seed says; those of libraries are asked for by name.
  static Shape automatic(Shape shape) {
    shape.portable = true;
    return shape;
  }

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      T* out;  // n elements
      std::int64_t n;
      detail::DistributionOf distribution;  // one that has numbers of type T
      RandomKey key;
    };
  };
  using Cases = CaseList<Case<float>, Case<double>, Case<std::uint32_t>, Case<std::uint64_t>>;

  static Shape shape(std::int64_t n, const detail::DistributionOf& distribution, const RandomKey& key) {
    const auto& [kind, first, second] = distribution;
    return {.n = n,
            .kind = kind,
            .generator = key.generator,
            .unit = (first == 0 && second == 1) || second == 0,
            .dimensions = key.dimensions,
            .mean = kind == Kind::poisson ? first : 0};
  }

  /// Whether there are numbers of this type.
  static constexpr bool has(Type type, Kind kind) {
    const bool real = type == Type::f32 || type == Type::f64;
    return kind == Kind::uniform || real == (kind != Kind::poisson);
  }

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

/// Calls body(words, distribution), with Philox or Sobol and one of distributions.h, for what a call asks for.
template <class C, class Body>
void with_random(const typename C::Args& a, Body body) {
  using T = typename C::T;
  const auto& [kind, first, second] = a.distribution;
  const auto each_generator = [&](const auto& distribution) {
    if (a.key.generator == Generator::philox)
      body(Philox(a.key.seed), distribution);
    else
      body(Sobol(a.key.dimensions, a.key.scrambling, a.key.seed), distribution);
  };
  if constexpr (std::is_floating_point_v<T>) {
    const T x = static_cast<T>(first), y = static_cast<T>(second);
    if (kind == Random::Kind::normal) return each_generator(Normal<T>(x, y));
    if (kind == Random::Kind::log_normal) return each_generator(LogNormal<T>(x, y));
    each_generator(Uniform<T>(x, y));
  } else {
    if (kind == Random::Kind::poisson) return each_generator(Poisson<T>(first));
    each_generator(Uniform<T>());
  }
}

/// The `depth` of a library that makes other numbers of the same distribution: none of them can be compared, so the
/// distribution is.
inline double other_numbers(std::int64_t) { return std::numeric_limits<double>::infinity(); }
inline constexpr const char* kOtherNumbers = "its numbers of a seed are others, of the same distribution";
inline std::string only_other_numbers(const Random::Shape& shape) {
  return shape.portable ? "its numbers are not those that the seed says" : "";
}

}  // namespace tandem
