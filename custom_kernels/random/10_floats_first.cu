// Idea:    Poisson numbers by rejection: whether an attempt is accepted floats can tell, but for one in some 1,700.
// New:     against refill, no warp waits for lanes whose attempt takes four logarithms of doubles: v and what it
//          must be below are compared in floats, by the hardware's logarithm, and in doubles only where they are too close to
//          tell. The bits are those of the definition.
// Expect:  some 150 instructions for an attempt, 1.2 attempts for a number.
// Limits:  Poisson numbers above a mean of 64 alone. A warp's last numbers leave lanes idle, which short arrays feel.
// Source:  Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"; the probability
//          without terms that cancel: Loader 2000, "Fast and accurate computation of binomial probabilities".

#include <cmath>
#include <numbers>

#include "custom_kernels/random/detail/refill.cuh"

namespace tandem {
namespace {

using detail::PoissonRejection;

/// To within 2^-22 of its value, as the hardware has it.
__device__ float reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return 1 / x;
#endif
}
/// To within 2^-22, or 2^-22 of its value where that is above 1.
__device__ float binary_logarithm(float x) {
#ifdef __CUDA_ARCH__
  float r;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return std::log2(x);
#endif
}

/// PoissonRejection::accepts in floats.
struct InFloats {
  float mean, sixth_more, a, b, constant;

  static constexpr double kScale = 0x1p20;  // of a and b, so that the smallest v does not leave the type
  explicit InFloats(const PoissonRejection& exact)
      : mean(float(exact.mean)),
        sixth_more(float(exact.mean + 1.0 / 6)),
        a(float(exact.twice_a / 2 / kScale)),
        b(float(exact.b / kScale)),
        constant(float(exact.log_inverse_alpha + std::log(2 * std::numbers::pi) / 2 - std::log(kScale))) {}

  /// Not inlined: few attempts call it, and its registers would count for all.
  [[gnu::noinline]] static __device__ bool in_doubles(const PoissonRejection& exact,
                                                      PoissonRejection::Attempt x) {
    return !exact.never(x) && exact.accepts(x);
  }
  __device__ bool operator()(const PoissonRejection& exact, const PoissonRejection::Attempt& x) const {
    const bool surely = exact.surely(x);
    float compared = excess(x, exact.mean);
    if (!surely && !(fabsf(compared) > kOff)) compared = in_doubles(exact, x) ? -1 : 1;
    return surely || compared < 0;
  }

  static constexpr float kOff = 0x1p-12f;
  /// ln of v, divided by what it may be at most: within kOff of that; 0 also where floats cannot tell for other reasons. Where
  /// the side is not thin, k is between 0.29 and 1.72 times the mean.
  __device__ float excess(const PoissonRejection::Attempt& x, double exact_mean) const {
    const float v = float(x.v), side = float(x.side), square = side * side;
    const float ratio = v * square * reciprocal(fmaf(b, square, a));
    // k! by Gosper's formula, √(2π (k + 1/6)) (k / e)^k. k ln(k / mean) − k + mean = d s + 2k (s³/3 + s⁵/5 + …).
    const float d = float(x.k - exact_mean), sum = fmaf(2, mean, d), s = d * reciprocal(sum), s2 = s * s;
    constexpr float highest_first[] = {1.0f / 15, 1.0f / 13, 1.0f / 11, 1.0f / 9,
                                       1.0f / 7,  1.0f / 5,  1.0f / 3};
    const float rest = s * s2 * detail::polynomial(highest_first, s2);
    const float exponent = fmaf(rest, sum + d, fmaf(d, s, constant));
    constexpr float kHalfLn2 = 0.34657359f;
    const float excess = fmaf(kHalfLn2, binary_logarithm(ratio * (sixth_more + d) * ratio), exponent);
    constexpr float kThin = PoissonRejection::kThin, kMore = 1.0001f;
    return side > kMore * kThin ? excess : side < kThin / kMore && v > kMore * side ? 1.0f : 0.0f;
  }
};

template <class C>
requires(detail::is_word<typename C::T>()) void floats_first(const typename C::Args& a, Context& ctx) {
  const PoissonRejection exact(a.distribution.first);
  launch_refill<C>(a, ctx, exact, InFloats(exact));
}

REGISTER(Random, floats_first,
         .note = "Poisson by rejection: floats tell what is accepted, but for one attempt in 1,700",
         .refuses = refuse_quantiles)

}  // namespace
}  // namespace tandem
