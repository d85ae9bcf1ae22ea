// Idea:    a block sums its tile in a tree in shared memory whose stride doubles, but the first threads do
//          the work: thread t adds for element 2·stride·t.
// New:     against reduce1_modulo, the active threads are neighbours, so whole warps retire instead of lanes,
//          and no remainder is computed. The tree and its sums are the same.
// Expect:  no divergence until fewer than 32 threads are left; but neighbouring lanes now touch words
//          2·stride apart, which makes 2-way, 4-way, then 8-way bank conflicts (not more: a tile of 256 words
//          has 8 words in each bank).
// Limits:  one element per thread; partial sums go through global memory, level by level.
// Source:  Harris 2007, "Optimizing parallel reduction in CUDA", Reduction #2.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two

template <class C, class In>
__global__ void reduce2_strided_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * threads + t;
  tile[t] = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();

  for (int stride = 1; stride < threads; stride *= 2) {
    const int left = 2 * stride * t;
    if (left < threads) tile[left] = Op{}(tile[left], tile[left + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void reduce2_strided(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, reduce2_strided_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, reduce2_strided, .note = "same tree, work moved to the first threads: bank conflicts",
         .depth = depth_of_levels<kThreads>)

}  // namespace
}  // namespace tandem
