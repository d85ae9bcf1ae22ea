// Idea:    a counter for each slot and lane: table[slot][lane], so that lanes never meet, whatever the data.
// New:     against matched, nobody looks for others. The counters of a lane lie in a bank of their own, so an addition
//          of a warp is done in one go: no lane waits for another's bank, nor for another's address.
// Expect:  the same speed for all data, uniform or skewed: that of 32 additions every other cycle. 256 slots take 32
//          KiB; with more, lanes share copies: 16, 8, …, 1.
// Limits:  from some 4,096 bins on there is one copy, which is shared_atomics. Merging adds up all copies.
// Source:  Gómez-Luna, González-Linares, Benavides, Guil 2013, "An optimized approach to histogram computation on
//          GPU".

#include "custom_kernels/histogram/detail/copies.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512, kResident = 4;  // blocks on a multiprocessor
constexpr int kLeast = 16;                    // elements for each thread, before there is another block

template <class C>
__global__ void __launch_bounds__(kThreads, kResident) count_in_lanes(typename C::Args a, int copies) {
  const SharedTable<C> table(a, 0, a.slots(), copies);
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; i < a.n; i += stride)
    table.add(table.slot(a.in[i]));
  table.merge();
}

template <class C>
void replicated(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  const int copies = copies_of_slots(a.slots());
  const std::int64_t bytes = SharedTable<C>::bytes(a.edges, a.slots(), copies);
  const std::int64_t blocks = resident_blocks(ctx, ceil_div(a.n, kThreads * kLeast), kResident, bytes);
  launch(ctx, blocks, kThreads, static_cast<std::size_t>(bytes), count_in_lanes<C>, a, copies);
}

REGISTER(Histogram, replicated, .note = "a counter for each bin and lane", .refuses = too_many_bins,
         .suits = few_bins)

}  // namespace
}  // namespace tandem
