#pragma once
// random: fills an array with random numbers that a seed and the number of an element say, so that every place, grid and
// number of threads gives the same bits, and parts of a sequence can be made anywhere.

#include <cstdint>

#include "tandem/array.h"
#include "tandem/distributions.h"
#include "tandem/options.h"
#include "tandem/philox.h"
#include "tandem/sobol.h"
#include "tandem/types.h"

namespace tandem {

/// Where words come from: Philox (philox.h), or the coordinates of Sobol's points (sobol.h).
enum class Generator : std::uint8_t { philox, sobol };

/// Which numbers of which sequence.
struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;  // the first number's place in the sequence: calls go on where others end
  Generator generator = Generator::philox;
  int dimensions = 1;  // of Sobol's points, up to 32; their coordinates come one after the other
  Scrambling scrambling = Scrambling::none;  // of Sobol's points, by the seed
};

namespace detail {
/// The distributions that random is compiled for.
enum class DistributionKind : std::uint8_t { uniform, normal, log_normal, poisson };

/// A distribution whose type is forgotten. Parameters are floats or doubles in full.
struct DistributionOf {
  DistributionKind kind;
  double first, second;  // low and high, mean and deviation, or the mean alone
};

template <class Distribution>
struct Described {
  static_assert(sizeof(Distribution) == 0, "random takes Uniform, Normal, LogNormal and Poisson");
};
template <class T>
struct Described<Uniform<T>> {
  static constexpr DistributionKind kind = DistributionKind::uniform;
};
template <class T>
struct Described<Normal<T>> {
  static constexpr DistributionKind kind = DistributionKind::normal;
};
template <class T>
struct Described<LogNormal<T>> {
  static constexpr DistributionKind kind = DistributionKind::log_normal;
};
template <class T>
struct Described<Poisson<T>> {
  static constexpr DistributionKind kind = DistributionKind::poisson;
};

TANDEM_API void random(Context& ctx, Type type, Memory out, const DistributionOf& distribution,
                       const RandomKey& key, const Options& options);
}  // namespace detail

/// out[i] = number key.offset + i of the sequence that key and distribution say, in the memory of the context, without
/// waiting for it.
///
/// distribution: Uniform<T>(low, high), Normal<T>(mean, deviation), LogNormal<T>(mean, deviation) for T float or double;
/// Uniform<T>(), Poisson<T>(mean) for T uint32 or uint64 (distributions.h says what they give, and from which bits). out:
/// n elements of type T. Number i depends on the key and i alone, and is random_element(distribution, Philox(key.seed), i),
/// in kernels of your own, too: it has the same bits on every path, place, grid and number of threads, and calls with
/// offset 0 and m of m and n − m elements write what one of n writes. O(n) work; allocates nothing.
/// Throws InvalidArgument (limits, a mean or a deviation that are not finite, low not below high, high − low beyond the
/// type, a deviation below 0, the mean of a Poisson distribution not above 0 or above 2^30, or above 64 with Sobol's
/// points, dimensions not from 1 to 32, offset + n beyond 2^64, null pointers, host memory in a device context, unknown
/// options.use), Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".
template <Viewable Out, class Distribution>
requires requires { typename Distribution::Value; }
void random(Context& ctx, Out&& out, const Distribution& distribution, const RandomKey& key = {},
            const Options& options = {}) {
  using T = element_of<Out>;
  static_assert(std::is_same_v<T, typename Distribution::Value>,
                "random: out must hold the type of the distribution's numbers");
  detail::random(ctx, type_of<T>, detail::memory(out),
                 {detail::Described<Distribution>::kind, distribution.first(), distribution.second()}, key,
                 options);
}

/// The same with Uniform<T>(): of float and double [0, 1), of uint32 and uint64 all numbers.
template <Viewable Out>
void random(Context& ctx, Out&& out, const RandomKey& key = {}, const Options& options = {}) {
  static_assert(detail::is_real<element_of<Out>>() || detail::is_word<element_of<Out>>(),
                "random takes float, double, uint32 and uint64");
  random(ctx, out, Uniform<element_of<Out>>(), key, options);
}

}  // namespace tandem
