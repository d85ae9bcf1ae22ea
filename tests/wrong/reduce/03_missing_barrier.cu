// Wrong:   the barrier between the rounds of the tree is missing.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C, class In>
__global__ void missing_barrier_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t;
  tile[t] = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, missing_barrier_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, missing_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
