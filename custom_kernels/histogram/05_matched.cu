// Idea:    lanes of a warp whose elements fall in one bin find each other, and one of them adds for all.
// New:     against shared_atomics, no two lanes ever meet at a counter: __match_any_sync tells each lane who else has
//          its slot, and the lowest of them adds their number.
// Expect:  with all elements in one bin an addition for 32 elements. But every element pays for the match, which takes
//          longer than the additions that it saves where elements differ: for skewed data alone.
// Limits:  as shared_atomics. Every element pays for the match, in uniform data, too.
// Source:  Adinets 2014, "CUDA pro tip: optimized filtering with warp-aggregated atomics"; the match: CUDA C++
//          Programming Guide, "Warp match functions".

#include "custom_kernels/histogram/detail/shared_table.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 1024, kResident = 2;  // blocks on a multiprocessor
constexpr int kLeast = 8;                      // elements for each thread, before there is another block

template <class C>
__global__ void __launch_bounds__(kThreads, kResident) count_matched(typename C::Args a) {
  const SharedTable<C> table(a, 0, a.slots());
  const std::int64_t stride = std::int64_t(gridDim.x) * kThreads;
  const int lane = threadIdx.x % kWarp;
  // All lanes stay until the warp's last element.
  for (std::int64_t first = std::int64_t(blockIdx.x) * kThreads + (threadIdx.x - lane); first < a.n;
       first += stride) {
    const std::uint32_t slot = first + lane < a.n ? table.slot(a.in[first + lane]) : std::uint32_t(-1);
    const unsigned same = __match_any_sync(kAllLanes, slot);
    if (lane == __ffs(int(same)) - 1) table.add(slot, __popc(same));
  }
  table.merge();
}

template <class C>
void matched(const typename C::Args& a, Context& ctx) {
  ctx.fill(a.counts, 0, static_cast<std::size_t>(a.bins) * sizeof *a.counts);
  const std::int64_t bytes = SharedTable<C>::bytes(a.edges, a.slots());
  const std::int64_t blocks = resident_blocks(ctx, ceil_div(a.n, kThreads * kLeast), kResident, bytes);
  launch(ctx, blocks, kThreads, static_cast<std::size_t>(bytes), count_matched<C>, a);
}

REGISTER(Histogram, matched, .note = "lanes of a warp with one bin find each other, and one adds",
         .refuses = too_many_bins)

}  // namespace
}  // namespace tandem
