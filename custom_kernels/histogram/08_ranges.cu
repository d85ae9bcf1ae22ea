// Idea:    what does not fit in one block's shared memory is split: each of several blocks reads the same elements and
//          counts those of its range of bins. And equal neighbours are counted at once: a thread adds when the slot
//          changes.
// New:     against packs, any number of bins. Blocks of different ranges run side by side on the same elements, which
//          come from memory once and from the L2 for the others. There is one counter for a bin, so lanes that meet
//          would take turns; a run of equal elements is one addition.
// Expect:  65,536 even bins are two ranges: two reads, one of them from the L2, and half of the elements counted by
//          each. All elements in one bin: an addition for each thread.
// Limits:  each range reads all elements. Skew without runs still makes lanes take turns.
// Source:  as replicated.

#include "custom_kernels/histogram/detail/shared_table.cuh"
#include "tandem/device/packs.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 1024, kResident = 1;  // blocks on a multiprocessor

template <class C>
__global__ void __launch_bounds__(kThreads, kResident) count_range(typename C::Args a, int ranges) {
  const int each = int(ceil_div(a.slots(), ranges)), range = int(blockIdx.x) % ranges;
  const int first = min(range * each, a.slots()), last = min(first + each, a.slots());
  const SharedTable<C> table(a, first, last - first);
  std::uint32_t before = std::uint32_t(-1), run = 0;  // slot of the element before, and how often it came
  for_each_packed<kThreads>(a.in, a.n, blockIdx.x / ranges, gridDim.x / ranges, [&](typename C::T x) {
    const std::uint32_t slot = table.slot(x);
    if (slot != before) {
      table.add(before, run);
      before = slot;
      run = 0;
    }
    ++run;
  });
  table.add(before, run);
  table.merge();
}

template <class C>
void ranges(const typename C::Args& a, Context& ctx) {
  constexpr int kTile = kThreads * kPacksAtOnce * Pack<typename C::T>::kSize;
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  int count = 1;
  const auto bytes = [&] { return SharedTable<C>::bytes(a.edges, ceil_div(a.slots(), count)); };
  while (bytes() > SharedTable<C>::kMost) ++count;
  const std::int64_t all = resident_blocks(ctx, ceil_div(a.n, kTile) * count, kResident, bytes());
  launch(ctx, std::max<std::int64_t>(1, all / count) * count, kThreads, static_cast<std::size_t>(bytes()),
         count_range<C>, a, count);
}

REGISTER(Histogram, ranges,
         .note = "ranges of bins by different blocks; a run of equal elements is one addition")

}  // namespace
}  // namespace tandem
