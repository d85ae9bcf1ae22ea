// Idea:    each block counts in a table in its shared memory, and adds that to the result at the end.
// New:     against global_atomics, an element costs an atomic addition in shared memory, of which every multiprocessor
//          does its own; global memory sees one for each bin and block. Blocks stay for many elements, as many blocks
//          as the device holds. Edges are copied to shared memory, too, and searched there.
// Expect:  each multiprocessor counts up to 32 elements every other cycle, where they differ; where lanes of a warp
//          meet in a bin, they take turns. Counters have 32 bits: a block would need 2^32 elements to overflow one.
// Limits:  bins must fit in shared memory: 58,112 of them, or fewer with edges.
// Source:  Podlozhnyuk 2007, "Histogram calculation in CUDA".

#include "custom_kernels/histogram/detail/shared_table.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 1024, kResident = 2;  // blocks on a multiprocessor
constexpr int kLeast = 8;                      // elements for each thread, before there is another block

template <class C>
__global__ void __launch_bounds__(kThreads, kResident) count_in_block(typename C::Args a) {
  const SharedTable<C> table(a, 0, a.slots());
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < a.n; i += stride)
    table.add(table.slot(a.in[i]));
  table.merge();
}

template <class C>
void shared_atomics(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  const std::int64_t bytes = SharedTable<C>::bytes(a.edges, a.slots());
  const std::int64_t blocks = resident_blocks(ctx, ceil_div(a.n, kThreads * kLeast), kResident, bytes);
  launch(ctx, blocks, kThreads, static_cast<std::size_t>(bytes), count_in_block<C>, a);
}

REGISTER(Histogram, shared_atomics, .note = "a table for each block in shared memory",
         .refuses = too_many_bins)

}  // namespace
}  // namespace tandem
