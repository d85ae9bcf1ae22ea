// Idea:    16 bytes in a load, and two loads of a thread on their way before the first element is counted.
// New:     against replicated, a load for 16 bytes, not for one: a warp asks for whole lines, and while it counts the
//          elements of two packs, those of other warps arrive.
// Expect:  bytes are bound by their additions: some 16 elements per cycle and multiprocessor, so that those of an H200
//          count 3.5 TB/s. Floats, a quarter as many elements for the same memory, are bound by the memory.
// Limits:  as replicated. What lies before the first boundary of 16 bytes is counted one by one.
// Source:  as replicated.

#include "custom_kernels/histogram/detail/copies.cuh"
#include "tandem/device/packs.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512, kResident = 3;  // blocks on a multiprocessor

template <class C>
__global__ void __launch_bounds__(kThreads, kResident) count_packs(typename C::Args a, int copies) {
  const SharedTable<C> table(a, 0, a.slots(), copies);
  for_each_packed<kThreads>(a.in, a.n, blockIdx.x, gridDim.x,
                            [&](typename C::T x) { table.add(table.slot(x)); });
  table.merge();
}

template <class C>
void packs(const typename C::Args& a, Context& ctx) {
  constexpr int kTile = kThreads * kPacksAtOnce * Pack<typename C::T>::kSize;
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  const int copies = copies_of_slots(a.slots());
  const std::int64_t bytes = SharedTable<C>::bytes(a.edges, a.slots(), copies);
  const std::int64_t blocks = resident_blocks(ctx, ceil_div(a.n, kTile), kResident, bytes);
  launch(ctx, blocks, kThreads, static_cast<std::size_t>(bytes), count_packs<C>, a, copies);
}

REGISTER(Histogram, packs, .note = "a counter for each bin and lane, loads of 16 bytes",
         .refuses = too_many_bins, .suits = few_bins)

}  // namespace
}  // namespace tandem
