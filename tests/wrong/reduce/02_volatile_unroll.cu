// Wrong:   the classic unrolled last warp: volatile and lock-step warps instead of __syncwarp. GPUs since
//          Volta do not promise lock step.
// Caught:  lanes never run in lock step on the executor.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C, class In>
__global__ void volatile_unroll_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + t;
  tile[t] = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();
  for (int stride = kThreads / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t < 32) {
    volatile typename C::Acc* v = &tile[0];
    for (int stride = 32; stride > 0; stride /= 2) {
      const typename C::Acc mine = v[t], other = v[t + stride];
      v[t] = Op{}(mine, other);
    }
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void volatile_unroll(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, volatile_unroll_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, volatile_unroll, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
