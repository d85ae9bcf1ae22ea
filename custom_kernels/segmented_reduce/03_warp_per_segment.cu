// Idea:    a warp for each segment, or a part of one: as many neighbouring lanes as a segment of average length has packs of
//          16 bytes.
// New:     against thread_per_segment, the lanes of a segment read neighbouring packs, so that a request of a warp is whole
//          lines; shuffles combine what lanes have.
// Expect:  the bandwidth of the memory for segments of hundreds of bytes that begin where packs do. Where they do not, what
//          lies before the first pack and behind the last is loaded element by element.
// Limits:  a warp takes as long as its longest segment. Many lanes of a short segment have nothing to read.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (vector CSR).

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kLongest = 1 << 25;  // longer ones take seconds

template <class C>
__global__ void __launch_bounds__(kThreads) warp_per_segment_lanes(typename C::Args a, int lanes) {
  const std::int64_t s = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / lanes;
  const int lane = int(threadIdx.x) % lanes;
  auto total = C::Op::template identity<typename C::Acc>();
  if (s < a.segments.count)
    total = reduce_own<C>(a.in + a.segments.begin(s), a.segments.length_of(s), lane, lanes);
  total = reduce_lanes<typename C::Op>(total, lanes);
  if (lane == 0 && s < a.segments.count) a.out[s] = total;
}

template <class C>
void warp_per_segment(const typename C::Args& a, Context& ctx) {
  const std::int64_t packs = ceil_div(a.elements, a.segments.count) / Pack<typename C::T>::kSize;
  int lanes = 1;
  while (lanes < packs && lanes < kWarp) lanes *= 2;
  launch(ctx, ceil_div(a.segments.count, kThreads / lanes), kThreads, 0, warp_per_segment_lanes<C>, a, lanes);
}

REGISTER(
    SegmentedReduce, warp_per_segment, .note = "1 to 32 lanes read a segment, by its average length",
    .depth = [](std::int64_t n) { return static_cast<double>(n) + 16; },
    .suits = [](const SegmentedReduce::Shape& s) { return s.average() <= kLongest; })

}  // namespace
}  // namespace tandem
