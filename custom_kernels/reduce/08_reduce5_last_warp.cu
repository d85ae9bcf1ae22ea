// Idea:    once 64 values are left, one warp finishes alone and needs no barrier of the whole block.
// New:     against reduce4_first_add, the last six rounds synchronise one warp (__syncwarp) instead of the
//          block; the other warps have exited by then.
// Expect:  two block barriers in the tree instead of eight; no change in memory traffic.
// Limits:  two elements per thread. The barrier of the warp is needed: the classic version of this step
//          relied on volatile and on warps that run in lock step, which GPUs since Volta do not promise.
// Source:  Harris 2007, "Optimizing parallel reduction in CUDA", Reduction #5.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two

template <class C, class In>
__global__ void reduce5_last_warp_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * 2 * threads + t;
  auto sum = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  if (i + threads < n) sum = Op{}(sum, C::load(in[i + threads]));
  tile[t] = sum;
  __syncthreads();

  for (int stride = threads / 2; stride > kWarp; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t >= kWarp) return;
  for (int stride = kWarp; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncwarp();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void reduce5_last_warp(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(a, ctx, 2 * kThreads, [&](const auto* in, auto n, auto blocks, auto* partial) {
    launch(ctx, blocks, kThreads, 0, reduce5_last_warp_tile<C, element_at<decltype(in)>>, in, n, partial);
  });
}

REGISTER(Reduce, reduce5_last_warp, .note = "the last 64 values need no barrier of the block",
         .depth = depth_of_levels<2 * kThreads>)

}  // namespace
}  // namespace tandem
