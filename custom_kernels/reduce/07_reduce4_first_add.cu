// Idea:    a block sums two tiles: every thread adds two elements while loading, then the tree in
//          shared memory runs as before.
// New:     against reduce3_sequential, half of the blocks, and no thread that only loads: the first round of
//          the tree happens in registers.
// Expect:  about half the time as long as blocks, barriers and rounds are the limit: each of them
//          now serves two elements.
// Limits:  two elements per thread, so only two loads in flight; barriers still outnumber additions.
// Source:  Harris 2007, "Optimizing parallel reduction in CUDA", Reduction #4.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two

template <class C, class In>
__global__ void reduce4_first_add_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * 2 * threads + t;
  auto sum = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  if (i + threads < n) sum = Op{}(sum, C::load(in[i + threads]));
  tile[t] = sum;
  __syncthreads();

  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void reduce4_first_add(const typename C::Args& a, Context& ctx) {
  const int threads = block_size(kThreads, kThreads);
  reduce_in_levels<C>(a, ctx, 2 * threads, [&](const auto* in, auto n, auto blocks, auto* partial) {
    launch(ctx, blocks, threads, 0, reduce4_first_add_tile<C, element_at<decltype(in)>>, in, n, partial);
  });
}

REGISTER(Reduce, reduce4_first_add, .note = "first addition while loading: half the blocks",
         .depth = depth_of_levels<2 * kThreads>)

}  // namespace
}  // namespace tandem
