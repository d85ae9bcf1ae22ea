// Wrong:   threads add without atomics, so that of two in one bin one is lost.
// Caught:  the executor sees the race, whatever the counts.

#include "lib/ops/histogram/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void not_atomic_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  if (const std::int32_t bin = a.bin(a.in[i]); bin < a.bins) ++a.counts[bin];
}

template <class C>
void not_atomic(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, not_atomic_block<C>, a);
}

REGISTER(Histogram, not_atomic, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
