// Wrong:   threads count before all of the block's table is cleared, and merge before all have counted.
// Caught:  the executor sees the race, and runs warps in other orders, too.

#include "lib/ops/histogram/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256, kBins = 1024;

template <class C>
__global__ void no_barrier_block(typename C::Args a) {
  __shared__ Shared<unsigned, kBins> table;
  for (int b = threadIdx.x; b < a.bins; b += kThreads) table[b] = 0;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < a.n;
       i += std::int64_t(gridDim.x) * kThreads) {
    if (const std::int32_t bin = a.bin(a.in[i]); bin < a.bins) atomicAdd(&table[bin], 1u);
  }
  for (int b = threadIdx.x; b < a.bins; b += kThreads)
    atomicAdd(reinterpret_cast<unsigned long long*>(a.counts) + b, table[b]);
}

template <class C>
void no_barrier(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  launch(ctx, 4, kThreads, 0, no_barrier_block<C>, a);
}

std::string fits(const Histogram::Shape& shape, CaseId id) {
  return shape.slots > kBins || id.type == Type::u8 ? "too many bins" : "";
}

REGISTER(Histogram, no_barrier, .note = "wrong on purpose", .refuses = fits)

}  // namespace
}  // namespace tandem
