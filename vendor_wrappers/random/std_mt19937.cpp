// The loop that most programs have: std::mt19937, of 64 bits for elements of 64, and the distributions of <random>. Seed and
// offset seed it together: it cannot skip ahead but by making what it skips.
// Limits:  its numbers of a seed are others, of the same distribution; no Sobol points. One thread.

#include <random>

#include "lib/ops/random/contract.h"

namespace tandem {
namespace {

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.generator == Generator::sobol ? "<random> has no Sobol points" : only_other_numbers(shape);
}

template <class C>
void std_mt19937(const typename C::Args& a, Context&) {
  using T = typename C::T;
  const auto& [kind, first, second] = a.distribution;
  std::seed_seq seeds{a.key.seed, a.key.seed >> 32, a.key.offset, a.key.offset >> 32};
  std::conditional_t<sizeof(T) == 4, std::mt19937, std::mt19937_64> generator(seeds);
  const auto fill = [&](auto distribution) {
    for (std::int64_t i = 0; i < a.n; ++i) a.out[i] = distribution(generator);
  };
  if constexpr (std::is_floating_point_v<T>) {
    const T x = static_cast<T>(first), y = static_cast<T>(second);
    if (kind == Random::Kind::uniform)
      fill(std::uniform_real_distribution<T>(x, y));
    else if (y == 0)  // which <random> does not take
      fill([value = kind == Random::Kind::normal ? x : std::exp(x)](auto&) { return value; });
    else if (kind == Random::Kind::normal)
      fill(std::normal_distribution<T>(x, y));
    else
      fill(std::lognormal_distribution<T>(x, y));
  } else if (kind == Random::Kind::uniform) {
    fill([](auto& g) { return static_cast<T>(g()); });
  } else {
    fill(std::poisson_distribution<std::int64_t>(first));
  }
}

REGISTER(Random, std_mt19937, .note = "std::mt19937 and <random>'s distributions, one loop",
         .version = "libstdc++ " + std::to_string(_GLIBCXX_RELEASE), .depth = other_numbers,
         .refuses = refuses, .deviates = kOtherNumbers)

}  // namespace
}  // namespace tandem
