// Idea:    16 bytes in a load, so that a warp asks for whole lines: while it counts the elements of a pack, those of other
//          warps arrive.
// New:     against replicated, a load for 16 bytes, not for one. Blocks are large and few, so that few tables are cleared
//          and merged. And nobody waits for the result to be cleared: a grid of its own does that while the blocks count;
//          they wait for it before they merge.
// Expect:  bytes are bound by their additions: some 16 elements per cycle and multiprocessor, so that those of an H200
//          count 3.5 TB/s. Floats, a quarter as many elements for the same memory, are bound by the memory.
// Limits:  as replicated. What lies before the first boundary of 16 bytes and behind the last is counted one by one.
// Source:  as replicated.

#include "custom_kernels/histogram/detail/copies.cuh"
#include "tandem/device/packs.cuh"
#include "tandem/device/wait_for_grid.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 1024, kResident = 2;  // blocks on a multiprocessor
constexpr int kAtOnce = 1;                     // packs of a thread: there are threads enough

__global__ void __launch_bounds__(kThreads) clear_counts(std::int64_t* counts, int bins) {
  start_early();
  const int b = int(blockIdx.x) * kThreads + int(threadIdx.x);
  if (b < bins) counts[b] = 0;
}

template <class C>
__global__ void __launch_bounds__(kThreads, kResident) count_packs(typename C::Args a, int copies) {
  const SharedTable<C> table(a, 0, a.slots(), copies);
  for_each_packed<kThreads, kAtOnce>(a.in, a.n, blockIdx.x, gridDim.x,
                                     [&](typename C::T x) { table.add(table.slot(x)); });
  wait_for_grid_before();
  table.merge();
}

template <class C>
void packs(const typename C::Args& a, Context& ctx) {
  constexpr int kTile = kThreads * kAtOnce * Pack<typename C::T>::kSize;
  launch(ctx, ceil_div(a.bins, kThreads), kThreads, 0, clear_counts, a.counts, a.bins);
  const int copies = copies_of_slots(a.slots());
  const std::int64_t bytes = SharedTable<C>::bytes(a.edges, a.slots(), copies);
  const std::int64_t blocks = resident_blocks(ctx, ceil_div(a.n, kTile), kResident, bytes);
  launch_early(ctx, blocks, kThreads, static_cast<std::size_t>(bytes), count_packs<C>, a, copies);
}

REGISTER(Histogram, packs, .note = "a counter for each bin and lane, loads of 16 bytes",
         .refuses = too_many_bins, .suits = few_bins)

}  // namespace
}  // namespace tandem
