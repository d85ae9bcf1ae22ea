#include "tandem/random.h"

#include <fmt/format.h>

#include <cmath>

#include "lib/core/call.h"
#include "lib/ops/random/contract.h"

namespace tandem::detail {
namespace {

void require_finite(const char* what, double value) {
  if (!std::isfinite(value))
    throw InvalidArgument(fmt::format("random: '{}' is {}; it must be finite", what, value));
}

void check_distribution(Type type, const DistributionOf& distribution, const RandomKey& key) {
  const DistributionKind kind = distribution.kind;
  if (!Random::has(type, kind)) {
    throw InvalidArgument(fmt::format("random: the distribution {} has no numbers of type {}",
                                      Random::variants[static_cast<std::size_t>(kind)], name(type)));
  }
  // As the distribution has them, in the type of the elements.
  const auto parameter = [&](double x) { return type == Type::f32 ? static_cast<float>(x) : x; };
  const double first = parameter(distribution.first), second = parameter(distribution.second);
  switch (kind) {
    case DistributionKind::uniform:
      if (!is_floating(type)) return;
      require_finite("low", first);
      require_finite("high", second);
      if (!(first < second))
        throw InvalidArgument(fmt::format("random: 'low' is {}; it must be below 'high', {}", first, second));
      if (!std::isfinite(parameter(second - first))) {
        throw InvalidArgument(fmt::format("random: from 'low', {}, to 'high', {}, is more than {} holds",
                                          first, second, name(type)));
      }
      return;
    case DistributionKind::poisson:
      if (!(first > 0 && first <= Poisson<>::kMost)) {
        throw InvalidArgument(
            fmt::format("random: 'mean' is {}; of a Poisson distribution it must be above 0 and at "
                        "most 2^30",
                        first));
      }
      if (key.generator == Generator::sobol && first > Poisson<>::kMostByQuantile) {
        throw InvalidArgument(
            fmt::format("random: 'mean' is {}; with Sobol's points, which give one word for a "
                        "number, it must be at most {}",
                        first, Poisson<>::kMostByQuantile));
      }
      return;
    default:
      require_finite("mean", first);
      require_finite("deviation", second);
      if (second < 0)
        throw InvalidArgument(fmt::format("random: 'deviation' is {}; it must be at least 0", second));
  }
}

void check_key(const RandomKey& key, std::int64_t n) {
  if (key.generator > Generator::sobol) {
    throw InvalidArgument(fmt::format("random: 'generator' is {}; it must be Generator::philox or sobol",
                                      static_cast<int>(key.generator)));
  }
  if (key.scrambling > Scrambling::owen) {
    throw InvalidArgument(
        fmt::format("random: 'scrambling' is {}; it must be Scrambling::none, shift or owen",
                    static_cast<int>(key.scrambling)));
  }
  if (key.generator == Generator::sobol && (key.dimensions < 1 || key.dimensions > Sobol::kDimensions)) {
    throw InvalidArgument(fmt::format("random: 'dimensions' is {}; it must be from 1 to {}", key.dimensions,
                                      Sobol::kDimensions));
  }
  // The last number's place must be one; −offset is how many there are from offset on, 0 standing for 2^64.
  if (key.offset != 0 && static_cast<std::uint64_t>(n) > -key.offset) {
    throw InvalidArgument(
        fmt::format("random: 'offset' is {} and the size of 'out' {}; together they must be at "
                    "most 2^64",
                    key.offset, n));
  }
}

}  // namespace

void random(Context& ctx, Type type, Memory out, const DistributionOf& distribution, const RandomKey& key,
            const Options& options) {
  public_call(ctx, [&] {
    require::array(ctx, Random::name, "out", out.data, out.size, size_of(type));
    check_distribution(type, distribution, key);
    check_key(key, out.size);
    Random::Shape shape = Random::shape(out.size, distribution, key);
    shape.portable = options.bits == Bits::portable;
    for_case<Random>({type, OperatorId::none}, [&]<class C>() {
      using T = typename C::T;
      call<Random, C>(ctx, {static_cast<T*>(out.data), out.size, distribution, key}, shape, options);
    });
  });
}

}  // namespace tandem::detail
