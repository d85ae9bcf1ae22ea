// Wrong:   lanes of a warp match with whole masks, but those past the last element have left.
// Caught:  the executor names a lane that has ended, where n is no multiple of 32.

#include "lib/ops/histogram/contract.h"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void match_past_end_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  const std::int32_t bin = a.bin(a.in[i]);
  const unsigned same = __match_any_sync(kAllLanes, bin);
  if (bin < a.bins && int(threadIdx.x) % kWarp == __ffs(int(same)) - 1) {
    atomicAdd(reinterpret_cast<unsigned long long*>(a.counts) + bin,
              static_cast<unsigned long long>(__popc(same)));
  }
}

template <class C>
void match_past_end(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, match_past_end_block<C>, a);
}

REGISTER(Histogram, match_past_end, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
