// Wrong:   thread 0 of a block reads what the others put into shared memory before they did.
// Caught:  the executor watches races, and runs threads in other orders, too.

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 64;

template <class C>
__global__ void no_barrier_segment(typename C::Args a) {
  __shared__ Shared<typename C::Acc, kThreads> totals;
  const std::int64_t s = blockIdx.x, length = a.segments.length_of(s);
  auto total = C::Op::template identity<typename C::Acc>();
  for (std::int64_t i = threadIdx.x; i < length; i += kThreads)
    total = typename C::Op{}(total, C::load(a.in[a.segments.begin(s) + i]));
  totals[threadIdx.x] = total;
  if (threadIdx.x > 0) return;
  for (int t = 1; t < kThreads; ++t) total = typename C::Op{}(total, totals[t]);
  a.out[s] = total;
}

template <class C>
void no_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.segments.count, kThreads, 0, no_barrier_segment<C>, a);
}

REGISTER(SegmentedReduce, no_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
