// Idea:    Poisson numbers by rejection: a lane whose attempt is accepted takes the warp's next number at once, and whether it is
//          accepted floats can tell, but for one attempt in some 1,700.
// New:     against packs, no lane waits until the last number of 32 is accepted: of 32 lanes all make attempts until a warp runs
//          out of numbers. Nor do all wait for the few whose attempt takes four logarithms of doubles: v and what it must be
//          below are compared in floats, by the hardware's logarithm, and in doubles only where they are too close to tell. The
//          bits are those of the definition.
// Expect:  some 150 instructions for an attempt, 1.2 attempts for a number.
// Limits:  Poisson numbers above a mean of 64 alone. A warp's last numbers leave lanes idle, which short arrays feel.
// Source:  lanes that take the next one: Aila, Laine 2009, "Understanding the efficiency of ray traversal on GPUs"; floats first:
//          Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"; the probability
//          without terms that cancel: Loader 2000, "Fast and accurate computation of binomial probabilities".

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

using detail::PoissonRejection;

constexpr int kThreads = 256;
constexpr int kMostNumbers = 1024;  // of a warp
constexpr int kWarps = 64;  // of a multiprocessor, so that all have work before a warp takes more numbers

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

/// Not inlined: few attempts call it, and its registers would count for all.
[[gnu::noinline]] __device__ bool accepts(const PoissonRejection& exact, PoissonRejection::Attempt x) {
  return !exact.never(x) && exact.accepts(x);
}

/// Warp w makes `numbers` numbers from w · numbers on.
template <class T>
__global__ void __launch_bounds__(kThreads)
    refill_block(T* out, std::int64_t n, std::uint64_t offset, const Philox::RoundKeys words,
                 const __grid_constant__ PoissonRejection exact, InFloats in_floats, int numbers) {
  start_early();
  const int lane = int(threadIdx.x) % kWarp;
  const std::int64_t warp = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
  // By a shuffle, so that the compiler keeps them in registers and does not compute them in each round again.
  const std::int64_t first = shuffle(warp * numbers, 0);
  const int count = shuffle(int(min(std::int64_t(numbers), n - first)), 0);
  out += first;
  offset += first;
  int mine = lane, next = kWarp;  // the lane's number, and the warp's that nobody has
  std::uint32_t attempt = 1;
  while (__any_sync(kAllLanes, mine < count)) {
    const PoissonRejection::Attempt x = exact.attempt(words, offset + mine, attempt);
    const bool surely = exact.surely(x);
    float excess = in_floats.excess(x, exact.mean);
    if (!surely && !(fabsf(excess) > in_floats.kOff)) excess = accepts(exact, x) ? -1 : 1;
    const bool accepted = surely || excess < 0;
    if (accepted && mine < count) out[mine] = static_cast<T>(x.k);
    const unsigned free = __ballot_sync(kAllLanes, accepted);
    mine = accepted ? next + __popc(free & ((1u << lane) - 1)) : mine;
    attempt = accepted ? 1 : attempt + 1;
    next += __popc(free);
  }
}

template <class C>
requires(detail::is_word<typename C::T>()) void refill(const typename C::Args& a, Context& ctx) {
  const PoissonRejection exact(a.distribution.first);
  const std::int64_t rows = ceil_div(a.n, std::int64_t{kWarps} * ctx.multiprocessors() * kWarp);
  const auto numbers = int(std::min<std::int64_t>(rows * kWarp, kMostNumbers));
  launch_early(ctx, ceil_div(a.n, std::int64_t{numbers} * (kThreads / kWarp)), kThreads, 0,
               refill_block<typename C::T>, a.out, a.n, a.key.offset, Philox(a.key.seed).round_keys(), exact,
               InFloats(exact), numbers);
}

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.by_quantile() ? "makes Poisson numbers above a mean of 64 alone" : "";
}

REGISTER(Random, refill, .note = "Poisson by rejection: a lane that is done takes the warp's next number",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
