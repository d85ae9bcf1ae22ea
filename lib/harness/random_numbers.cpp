// random: what it is tested with, and what is right.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lib/harness/first_error.h"
#include "lib/harness/operation.h"
#include "lib/harness/random_sequence.h"
#include "lib/ops/random/contract.h"

namespace tandem {
namespace {

using Kind = Random::Kind;

/// A distribution with its parameters.
struct Parameters {
  Kind kind;
  double first, second;
};
constexpr Parameters kDistributions[] = {
    {Kind::uniform, 0, 1},      {Kind::uniform, -2.5, 7.25}, {Kind::uniform, 1, 1.0000002},
    {Kind::normal, 0, 1},       {Kind::normal, -3.5, 0.001}, {Kind::normal, 5, 0},
    {Kind::log_normal, 0, 1},   {Kind::log_normal, 1, 30},   {Kind::poisson, 0.001, 0},
    {Kind::poisson, 3.7, 0},    {Kind::poisson, 64, 0},      {Kind::poisson, 64.5, 0},
    {Kind::poisson, 1234.5, 0}, {Kind::poisson, 0x1p30, 0},
};

/// What is timed.
constexpr Parameters kMeasured[] = {{Kind::uniform, 0, 1},
                                    {Kind::normal, 0, 1},
                                    {Kind::log_normal, 0, 1},
                                    {Kind::poisson, 10, 0},
                                    {Kind::poisson, 1000, 0}};

/// Sequences: of Philox, and of Sobol's points.
struct Words {
  Generator generator;
  int dimensions;
  Scrambling scrambling;
  const char* name;
};
constexpr Words kWords[] = {
    {Generator::philox, 1, Scrambling::none, "Philox"},
    {Generator::sobol, 1, Scrambling::none, "Sobol 1"},
    {Generator::sobol, 2, Scrambling::shift, "Sobol 2 shift"},
    {Generator::sobol, 3, Scrambling::owen, "Sobol 3 Owen"},
    {Generator::sobol, 4, Scrambling::none, "Sobol 4"},
    {Generator::sobol, 32, Scrambling::owen, "Sobol 32 Owen"},
};

/// Whether these words make such numbers: Sobol's points have one word for each.
bool has(const Words& words, const Parameters& of) {
  return words.generator == Generator::philox || of.kind != Kind::poisson ||
         of.first <= Poisson<>::kMostByQuantile;
}

/// Seeds and places that use every part of a key and of a counter, both sides of where they carry.
constexpr std::uint64_t kSeeds[] = {0, 1, 0xFFFFFFFF, 0x100000000, 0xA0761D6478BD642F, ~std::uint64_t{0}};
constexpr std::uint64_t kOffsets64[] = {0,
                                        1,
                                        2,
                                        3,
                                        6,
                                        1001,
                                        0xFFFFFFFD,
                                        0x1FFFFFFFE,
                                        0x3FFFFFFFB,
                                        0x123456789ABCD,
                                        ~std::uint64_t{0} - (std::uint64_t{1} << 40)};

struct RandomHarness {
  using Contract = Random;
  struct TestShape : Random::Shape {
    detail::DistributionOf distribution{Kind::uniform, 0, 1};
    RandomKey key;
  };
  static constexpr Bound bound = Bound::copy;

  /// Whether numbers have the distribution that a trial asks for.
  template <class T>
  struct Spread {
    const TestShape& shape;

    /// Kolmogorov's statistic of up to kMost numbers, and how neighbours depend on each other. A right library is refused
    /// once in 10^9 trials. Of more numbers it takes stretches: every k-th of Sobol's points is not spread as all are.
    /// read(first, to): numbers from number `first` on.
    template <class Read>
    Verdict check(const Read& read) const {
      constexpr std::int64_t kFewest = 1000, kMost = 1 << 20, kStretches = 16;
      constexpr double kWorstDistance = 3.3, kWorstDependence = 6.2;
      // Of a constant, and of limits between which there are few numbers, nothing could be told.
      const auto& [kind, first, second] = shape.distribution;
      const bool few = kind == Kind::uniform ? second - first < std::abs(first) / 1000
                                             : kind != Kind::poisson && second == 0;
      if (shape.n < kFewest || few) return {};
      const std::int64_t stretches = shape.n <= kMost ? 1 : kStretches;
      std::vector<T> stretch(static_cast<std::size_t>(std::min(shape.n, kMost) / stretches));
      std::vector<double> sample;
      for (std::int64_t s = 0; s < stretches; ++s) {
        read(shape.n / stretches * s, std::span<T>(stretch));
        sample.insert(sample.end(), stretch.begin(), stretch.end());
      }
      const auto n = static_cast<double>(sample.size());
      double products =
          0;  // of how far neighbours' probabilities are from a half: each has a variance of 1/144
      for (std::size_t i = 1; i < sample.size() && even(); ++i)
        products += (up_to(sample[i - 1]) - 0.5) * (up_to(sample[i]) - 0.5);
      std::sort(sample.begin(), sample.end());
      double distance = 0, before = 0;
      for (std::size_t i = 0, end; i < sample.size(); i = end) {
        for (end = i + 1; end < sample.size() && sample[end] == sample[i]; ++end) {
        }
        const double p = up_to(sample[i]);
        if (!(p >= before && p <= 1))
          return Verdict::wrong(fmt::format("{} is no number of the distribution", sample[i]));
        if (even()) distance = std::max(distance, p - static_cast<double>(i) / n);
        distance = std::max(distance, std::abs(static_cast<double>(end) / n - p));
        before = p;
      }
      if (distance * std::sqrt(n) > kWorstDistance) {
        return Verdict::wrong(fmt::format("Kolmogorov's statistic is {:.3}; it must be at most {}",
                                          distance * std::sqrt(n), kWorstDistance));
      }
      const double dependence = std::abs(products) * 12 / std::sqrt(n);
      if (shape.generator == Generator::philox && dependence > kWorstDependence) {
        return Verdict::wrong(
            fmt::format("neighbours depend on each other: {:.3} standard deviations", dependence));
      }
      return {};
    }

   private:
    /// Whether each number is as likely as those near it, so that its probability is spread evenly.
    bool even() const { return std::is_floating_point_v<T> || shape.kind == Kind::uniform; }

    /// As the distribution has it, in the type of the elements.
    static double parameter(double x) {
      return std::is_same_v<T, float> ? static_cast<double>(static_cast<float>(x)) : x;
    }

    /// The probability of x or less.
    double up_to(double x) const {
      const Kind kind = shape.kind;
      const double first = parameter(shape.distribution.first), second = parameter(shape.distribution.second);
      const auto normal = [](double z) { return std::erfc(-z * std::sqrt(0.5)) / 2; };
      if (!even()) {
        constexpr double kMostTerms =
            700;  // else by Wilson and Hilferty's approximation, right to about 1e-4
        if (first > kMostTerms)
          return normal(3 * std::sqrt(x + 1) * (1 - std::cbrt(first / (x + 1)) - 1 / (9 * (x + 1))));
        double p = std::exp(-first), sum = p;
        for (double k = 1; k <= x && k < 4 * kMostTerms; ++k) sum += p *= first / k;
        return std::min(sum, 1.0);
      }
      if (!std::is_floating_point_v<T>) return x / (static_cast<double>(std::numeric_limits<T>::max()) + 1);
      if (kind == Kind::uniform) return (x - first) / (second - first);
      return normal(((kind == Kind::normal ? x : std::log(x)) - first) / second);
    }
  };

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    TestShape shape;
    Output<T> out;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx), shape(s), out(*this, s.n, inputs.offset) {}
    typename C::Args args() { return {out.data(), shape.n, shape.distribution, shape.key}; }
    Verdict check(double depth) {
      const Contents<T> got = out.contents();
      if (!std::isinf(depth)) return by_definition(got);
      return Spread<T>{shape}.check([&](std::int64_t first, std::span<T> to) {
        std::ranges::copy(got.subspan(static_cast<std::size_t>(first), to.size()), to.begin());
      });
    }

   private:
    /// Of the elements from number `begin` on.
    Verdict part_by_definition(const typename C::Args& call, std::span<const T> got,
                               std::int64_t begin) const {
      std::vector<T> want(got.size());
      with_random<C>(call, [&](const auto& words, const auto& distribution) {
        for (std::size_t i = 0; i < want.size(); ++i)
          want[i] =
              random_element(distribution, words, shape.key.offset + static_cast<std::uint64_t>(begin) + i);
      });
      Verdict verdict = compare<T>(got, want, {}, Same::bits);
      if (verdict.index >= 0) verdict.index += begin;
      return verdict;
    }
    /// Bit for bit, in parts that need little memory.
    Verdict by_definition(std::span<const T> got) {
      constexpr std::int64_t kPart = 1 << 20;
      const auto size = static_cast<std::int64_t>(got.size());
      std::vector<Verdict> of_parts(static_cast<std::size_t>((size + kPart - 1) / kPart));
      const typename C::Args call = args();
      FirstError error;
#pragma omp parallel for schedule(dynamic) if (size > kPart)
      for (std::int64_t begin = 0; begin < size; begin += kPart) {
        error.keep([&] {
          Verdict& here = of_parts[static_cast<std::size_t>(begin / kPart)];
          here = part_by_definition(call,
                                    got.subspan(static_cast<std::size_t>(begin),
                                                static_cast<std::size_t>(std::min(kPart, size - begin))),
                                    begin);
        });
      }
      error.rethrow();
      for (const Verdict& here : of_parts) {
        if (!here.correct) return here;
      }
      return {};
    }
  };

  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    TestShape shape;
    Array<T> out;

    Large(Context& ctx, const TestShape& s, const Inputs&) : Operands(ctx), shape(s), out(ctx, s.n) {}
    typename C::Args args() { return {out.data(), shape.n, shape.distribution, shape.key}; }
    void reset() { context().fill(out.data(), 0xFF, static_cast<std::size_t>(shape.n) * sizeof(T)); }
    Verdict check(double depth) {
      if (std::isinf(depth)) {
        return Spread<T>{shape}.check([&](std::int64_t first, std::span<T> to) {
          context().copy(to.data(), out.data() + first, to.size_bytes());
          context().synchronize();
        });
      }
      Verdict verdict = Verdict::wrong("nothing checks these numbers where they lie");
      with_random<C>(args(), [&]<class Source, class Distribution>(const Source& words,
                                                                   const Distribution& distribution) {
        if constexpr (has_sequence<Source, Distribution>) {
          const SequenceView<Source, Distribution> right{words, distribution, shape.key.offset};
          verdict = check_by_view(context(), reinterpret_cast<const detail::WordOf<T>*>(out.data()), shape.n,
                                  right, 0);
        }
      });
      return verdict;
    }
  };

  static Trial trial(TestShape shape, const Inputs& inputs) {
    return {
        shape, inputs, shape.n,
        fmt::format(
            "{}({}, {}) of {} from {:#x}, seed {:#x}", Random::variants[shape.distribution_index()],
            shape.distribution.first, shape.distribution.second,
            shape.generator == Generator::philox ? "Philox" : fmt::format("Sobol {}", shape.key.dimensions),
            shape.key.offset, shape.key.seed)};
  }
  static TestShape shape_of(std::int64_t n, const Parameters& from, const Words& words, std::uint64_t seed,
                            std::uint64_t offset) {
    const detail::DistributionOf distribution{from.kind, from.first, from.second};
    const RandomKey key{seed, offset, words.generator, words.dimensions, words.scrambling};
    return {Random::shape(n, distribution, key), distribution, key};
  }

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    constexpr std::int64_t kAllUpTo = 20000, kMostOffsetsUpTo = 1 << 20;
    enum { kCase, kSize, kDistribution, kGenerator, kSeed, kStart, kOffset, kAxes };
    const std::vector<CaseId> ids = case_ids<Contract>();
    const std::vector<std::int64_t> sizes = test_sizes(coverage);
    Plan plan;
    plan.trials.resize(ids.size());
    const auto id = [&](int c) { return ids[static_cast<std::size_t>(c)]; };
    const auto size = [&](int s) { return sizes[static_cast<std::size_t>(s)]; };
    if (coverage == Coverage::huge) {
      for (std::size_t c = 0; c < ids.size(); ++c) {
        const auto add = [&](std::int64_t n, const Parameters& of, const Words& words) {
          plan.trials[c].push_back(trial(shape_of(n, of, words, seed, 3), {Values::exact, seed, 0}));
          plan.trials[c].back().inputs.closed_form = true;
        };
        if (ids[c].type == Type::f32 || ids[c].type == Type::f64) {
          add(sizes.back(), {Kind::normal, 0, 1}, kWords[0]);
        } else if (ids[c].type == Type::u32) {
          for (const std::int64_t n : sizes) add(n, {Kind::uniform, 0, 1}, kWords[0]);
          add(sizes.back(), {Kind::uniform, 0, 1}, kWords[3]);
          for (const double mean : {3.7, 1234.5}) add(sizes.back(), {Kind::poisson, mean, 0}, kWords[0]);
        }
      }
      return plan;
    }
    const bool full = coverage == Coverage::full;
    std::vector<std::string> size_names, distributions, words, seeds, starts;
    for (const std::int64_t n : sizes) size_names.push_back(std::to_string(n));
    for (const auto& [kind, first, second] : kDistributions)
      distributions.push_back(
          fmt::format("{}({}, {})", Random::variants[static_cast<std::size_t>(kind)], first, second));
    for (const Words& w : kWords) words.push_back(w.name);
    for (const std::uint64_t s : kSeeds) seeds.push_back(fmt::format("{:#x}", s));
    for (const std::uint64_t o : kOffsets64) starts.push_back(fmt::format("{:#x}", o));
    plan.axes.add("case", names(ids));
    plan.axes.add("size", size_names);
    plan.axes.add("distribution", distributions);
    plan.axes.add("words", words);
    plan.axes.add("seed", seeds);
    plan.axes.add("first", starts);
    plan.axes.add("offset", offset_names());
    plan.axes.exclude(kCase, kDistribution,
                      [&](int c, int d) { return !Random::has(id(c).type, kDistributions[d].kind); });
    plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
    plan.axes.exclude(kDistribution, kGenerator,
                      [&](int d, int w) { return !has(kWords[w], kDistributions[d]); });
    // Where the executor takes long: a few distributions of two types.
    plan.axes.exclude(kSize, kDistribution, [&](int s, int d) {
      return !full && size(s) > kAllUpTo && kDistributions[d].first != 0;
    });
    plan.axes.exclude(kCase, kSize, [&](int c, int s) {
      return !full && size(s) > kAllUpTo && id(c).type != Type::f32 && id(c).type != Type::u64;
    });
    plan.axes.exclude(kSize, kGenerator, [&](int s, int w) { return !full && size(s) > kAllUpTo && w > 1; });
    plan.axes.exclude(kSize, kOffset,
                      [&](int s, int o) { return !full && size(s) > kMostOffsetsUpTo && kOffsets[o] != 8; });
    plan.axes.close();
    Covering covering(plan.axes, seed);
    const auto add = [&](const Point& given) {
      const Point point = covering.next(given);
      if (point.empty()) return;
      auto& trials = plan.trials[static_cast<std::size_t>(point[kCase])];
      const TestShape shape =
          shape_of(size(point[kSize]), kDistributions[point[kDistribution]], kWords[point[kGenerator]],
                   kSeeds[point[kSeed]], kOffsets64[point[kStart]]);
      trials.push_back(
          trial(shape, {Values::exact, seed, offset_in_elements(id(point[kCase]), point[kOffset])}));
      trials.back().point = point;
    };
    for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
      for (int s = 0; s < static_cast<int>(sizes.size()); ++s) add({c, s, -1, -1, -1, -1, -1});
    }
    while (const auto open = covering.open()) add(*open);
    // Of few numbers floats alone are wrong about what is accepted: number 45,554 here is one.
    const TestShape close = shape_of(65'536, {Kind::poisson, 0x1p30, 0}, kWords[0], 0, 3);
    for (std::size_t c = 0; c < ids.size() && coverage != Coverage::brief; ++c) {
      if (Random::has(ids[c].type, Kind::poisson))
        plan.trials[c].push_back(trial(close, {Values::exact, seed, 0}));
    }
    return plan;
  }

  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    std::vector<Parameters> possible;
    const Words& words = kWords[draws.below(std::size(kWords))];
    for (const Parameters& from : kDistributions) {
      if (Random::has(id.type, from.kind) && has(words, from)) possible.push_back(from);
    }
    const Parameters from =
        possible[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(possible.size())))];
    const std::int64_t n = draws.size(1, elements);
    return trial(shape_of(n, from, words, draws.bits(), draws.one_in(2) ? 0 : draws.bits() >> 1),
                 {Values::exact, draws.bits(), draw_offset(id, draws)});
  }
  /// Each distribution that the type has, from Philox, and Sobol's points themselves.
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
    std::vector<Trial> trials;
    const auto add = [&](const Parameters& of, const Words& words) {
      if (!Random::has(id.type, of.kind)) return;
      trials.push_back(trial(shape_of(n, of, words, seed, 0), {Values::exact, seed, 0}));
      // By this name recorded measurements are told apart.
      trials.back().variant =
          Random::variants[std::any_cast<const TestShape&>(trials.back().shape).variant()];
    };
    for (const Parameters& of : kMeasured) add(of, kWords[0]);
    add(kMeasured[0], kWords[1]);
    return trials;
  }
  /// Both generators; of Sobol's points also such of more dimensions, from where the first ones are skipped.
  static std::vector<Trial> usual_and_hard(CaseId id, const Features& f, std::uint64_t seed) {
    std::vector<Trial> trials;
    for (const Words& words : kWords) {
      const std::uint64_t first = words.dimensions > 1 ? random_bits(seed, 1) : 0;
      for (const Parameters& of : kMeasured) {
        if (Random::has(id.type, of.kind) && has(words, of))
          trials.push_back(trial(shape_of(f[0], of, words, seed, first), {Values::exact, seed, 0}));
      }
    }
    return trials;
  }
  /// One write of each element.
  static Work work(CaseId id, const TestShape& shape) {
    const double n = static_cast<double>(shape.n);
    return {n * static_cast<double>(size_of(id.type)), n};
  }
};

REGISTER_OPERATION(RandomHarness)

}  // namespace
}  // namespace tandem
