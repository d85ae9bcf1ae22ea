// Idea:    a thread for each segment.
// New:     against threads, thousands of loops run at once; nothing else changes.
// Expect:  neighbouring threads read elements a segment apart, so each load of a warp touches up to 32 lines, of which the
//          caches must keep what later loads want. A warp takes as long as its longest segment. Columns of a matrix are what
//          this is made for: there neighbours read neighbours.
// Limits:  few segments leave most of a GPU idle, and one long one all but one thread.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (scalar CSR).

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kLongest = 1 << 20;  // longer ones take seconds

template <class C>
__global__ void thread_per_segment_loop(typename C::Args a) {
  const SegmentedReduce::Layout& segments = a.segments;
  const std::int64_t s = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (s >= segments.count) return;
  const auto* element = a.in + segments.begin(s);
  const std::int64_t length = segments.length_of(s);
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t i = 0; i < length; ++i, element += segments.step)
    total = typename C::Op{}(total, C::load(*element));
  a.out[s] = total;
}

template <class C>
void thread_per_segment(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.segments.count, kThreads), kThreads, 0, thread_per_segment_loop<C>, a);
}

REGISTER(
    SegmentedReduce, thread_per_segment, .note = "a thread reads a segment, or a column",
    .refuses = SegmentedReduce::takes_all,
    .suits = [](const SegmentedReduce::Shape& s) { return s.average() <= kLongest; })

}  // namespace
}  // namespace tandem
