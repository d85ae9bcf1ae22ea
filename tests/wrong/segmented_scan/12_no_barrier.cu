// Wrong:   the threads of a block read elements in shared memory before others have put them there.
// Caught:  the executor watches races, and runs threads in other orders, too.

#include "lib/ops/segmented_scan/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class C>
__global__ void no_barrier_segment(typename C::Args a) {
  __shared__ Shared<typename C::T, kThreads> elements;
  const std::int64_t s = blockIdx.x, begin = a.segments.begin(s), end = a.segments.end(s);
  if (threadIdx.x < kThreads && begin + threadIdx.x < end) elements[threadIdx.x] = a.in[begin + threadIdx.x];
  typename C::Acc running = a.init;
  for (std::int64_t i = begin; i < end && i <= begin + threadIdx.x; ++i) {
    const auto next =
        typename C::Op{}(running, C::load(i < begin + kThreads ? elements[i - begin] : a.in[i]));
    if (i == begin + threadIdx.x) a.out[i] = C::result(a.exclusive ? running : next);
    running = next;
  }
}

template <class C>
void no_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.segments.count, kThreads, 0, no_barrier_segment<C>, a);
}

std::string refuse_long(const SegmentedScan::Shape& s, CaseId id) {
  return s.in_place ? "not in place" : SegmentedScan::refuse_keys(s, id);
}

REGISTER(SegmentedScan, no_barrier, .note = "wrong on purpose", .refuses = refuse_long)

}  // namespace
}  // namespace tandem
