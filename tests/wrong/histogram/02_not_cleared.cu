// Wrong:   counts are added to what was there before.
// Caught:  outputs are poisoned before each run.

#include "lib/ops/histogram/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void not_cleared_block(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  const std::int32_t bin = a.bin(a.in[i]);
  if (bin < a.bins) atomicAdd(reinterpret_cast<unsigned long long*>(a.counts) + bin, 1ull);
}

template <class C>
void not_cleared(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, not_cleared_block<C>, a);
}

REGISTER(Histogram, not_cleared, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
