// Wrong:   eight lanes for each row, and each lane reads one element.
// Caught:  rows of more than eight.

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "lib/ops/spmv/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256, kLanes = 8;

template <class C>
__global__ void one_step_lanes(typename C::Args a) {
  const std::int64_t r = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / kLanes;
  const int lane = int(threadIdx.x) % kLanes;
  typename C::T sum = 0;
  if (r < a.rows.count && a.rows.begin(r) + lane < a.rows.end(r)) sum = a.product(a.rows.begin(r) + lane);
  sum = reduce_lanes<Plus>(sum, kLanes);
  if (lane == 0 && r < a.rows.count) a.store(r, sum);
}

template <class C>
void one_step(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows.count, kThreads / kLanes), kThreads, 0, one_step_lanes<C>, a);
}

REGISTER(Spmv, one_step, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
