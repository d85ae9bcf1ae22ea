// Idea:    a thread for each element adds 1 to the count of its bin, atomically.
// New:     against interleaved, every element has a thread, and all count in one table, which the L2 cache keeps.
// Expect:  an atomic addition for each element. The L2 takes thousands of them at a time where they differ, but one
//          after the other where they meet in a bin: with all elements in one bin, that one address sets the speed.
// Limits:  as slow as the most frequent bin. Edges are searched in global memory.

#include "lib/ops/histogram/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void count_elements(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= a.n) return;
  const std::int32_t bin = a.bin(a.in[i]);
  if (bin < a.bins) atomicAdd(reinterpret_cast<unsigned long long*>(a.counts) + bin, 1ull);
}

template <class C>
void global_atomics(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, count_elements<C>, a);
}

REGISTER(Histogram, global_atomics, .note = "an atomic addition in global memory for each element")

}  // namespace
}  // namespace tandem
