#pragma once
// Poisson numbers by rejection, where a lane whose attempt is accepted takes the warp's next number at once (steps 09 and 10).

#include <algorithm>

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {

constexpr int kRefillThreads = 256;

/// Warp w makes `numbers` numbers from w · numbers on. accepted(exact, x): whether attempt x is.
template <class T, class Accepted>
__global__ void __launch_bounds__(kRefillThreads)
    refill_block(T* out, std::int64_t n, std::uint64_t offset, const Philox::RoundKeys words,
                 const __grid_constant__ detail::PoissonRejection exact, Accepted accepted, int numbers) {
  start_early();
  const int lane = int(threadIdx.x) % kWarp;
  const std::int64_t warp = (std::int64_t(blockIdx.x) * kRefillThreads + threadIdx.x) / kWarp;
  // By a shuffle, so that the compiler keeps them in registers and does not compute them in each round again.
  const std::int64_t first = shuffle(warp * numbers, 0);
  const int count = shuffle(int(min(std::int64_t(numbers), n - first)), 0);
  out += first;
  offset += first;
  int mine = lane, next = kWarp;  // the lane's number, and the warp's that nobody has
  std::uint32_t attempt = 1;
  while (__any_sync(kAllLanes, mine < count)) {
    const detail::PoissonRejection::Attempt x = exact.attempt(words, offset + mine, attempt);
    const bool done = accepted(exact, x);
    if (done && mine < count) out[mine] = static_cast<T>(x.k);
    const unsigned free = __ballot_sync(kAllLanes, done);
    mine = done ? next + __popc(free & ((1u << lane) - 1)) : mine;
    attempt = done ? 1 : attempt + 1;
    next += __popc(free);
  }
}

template <class C, class Accepted>
void launch_refill(const typename C::Args& a, Context& ctx, const detail::PoissonRejection& exact,
                   Accepted accepted) {
  constexpr int kMostNumbers = 1024;  // of a warp
  constexpr int kWarps = 64;  // of a multiprocessor, so that all have work before a warp takes more numbers
  const std::int64_t rows = ceil_div(a.n, std::int64_t{kWarps} * ctx.multiprocessors() * kWarp);
  const auto numbers = int(std::min<std::int64_t>(rows * kWarp, kMostNumbers));
  launch_early(ctx, ceil_div(a.n, std::int64_t{numbers} * (kRefillThreads / kWarp)), kRefillThreads, 0,
               refill_block<typename C::T, Accepted>, a.out, a.n, a.key.offset,
               Philox(a.key.seed).round_keys(), exact, accepted, numbers);
}

/// For .refuses.
inline std::string refuse_quantiles(const Random::Shape& shape, CaseId) {
  return shape.by_quantile() ? "makes Poisson numbers above a mean of 64 alone" : "";
}

}  // namespace tandem
