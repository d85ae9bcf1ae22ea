// Idea:    a block for each segment.
// New:     against warp_per_segment, eight times as many lanes, which combine what they have through shared memory.
// Expect:  the bandwidth of the memory for segments of tens of thousands of bytes. Of short ones a block waits most of its
//          time: for the offsets, for its one load, for the barrier.
// Limits:  2^31 − 1 segments. Fewer segments than a GPU runs blocks at once leave a part of it idle, and so does one that is
//          longer than all others together.

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "tandem/device/block.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void __launch_bounds__(kThreads) block_per_segment_sum(typename C::Args a) {
  const std::int64_t s = blockIdx.x, length = a.segments.length_of(s);
  auto total = C::Op::template identity<typename C::Acc>();
  if (length > 0) {
    total = reduce_own<C>(a.in + a.segments.begin(s), length, int(threadIdx.x), kThreads);
    total = block_reduce<kThreads, typename C::Op>(total);
  }
  if (threadIdx.x == 0) a.out[s] = total;
}

template <class C>
void block_per_segment(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.segments.count, kThreads, 0, block_per_segment_sum<C>, a);
}

REGISTER(
    SegmentedReduce, block_per_segment, .note = "a block reads a segment",
    .depth = [](std::int64_t n) { return static_cast<double>(n) / kThreads + 32; },
    .suits = [](const SegmentedReduce::Shape& s) { return s.average() >= kThreads; })

}  // namespace
}  // namespace tandem
