// Idea:    a thread for each segment.
// New:     against threads, thousands of loops run at once; nothing else changes.
// Expect:  neighbouring threads read and write elements a segment apart, so each access of a warp touches up to 32 lines,
//          of which the caches must keep what later ones want. A warp takes as long as its longest segment.
// Limits:  offsets or one length: runs of keys would have to be found first. Few segments leave most of a GPU idle, and one
//          long one all but one thread.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (scalar CSR).

#include "lib/ops/segmented_scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void thread_per_segment_loop(typename C::Args a) {
  const std::int64_t s = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (s >= a.segments.count) return;
  typename C::Acc running = a.init;
  const std::int64_t end = a.segments.end(s);
  for (std::int64_t i = a.segments.begin(s); i < end; ++i) {
    const auto next = typename C::Op{}(running, C::load(a.in[i]));
    a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

template <class C>
void thread_per_segment(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.segments.count, kThreads), kThreads, 0, thread_per_segment_loop<C>, a);
}

/// Short ones, and many.
bool suits(const SegmentedScan::Shape& s) {
  constexpr std::int64_t kFewest = 1 << 12, kLongest = 64;
  return s.segments >= kFewest && s.n / s.segments <= kLongest;
}

REGISTER(SegmentedScan, thread_per_segment, .note = "a thread scans a segment",
         .refuses = SegmentedScan::refuse_keys, .suits = suits)

}  // namespace
}  // namespace tandem
