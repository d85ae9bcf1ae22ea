// Idea:    a block sums its tile in a tree in shared memory whose stride halves: thread t
//          adds element t + stride.
// New:     against reduce2_strided, neighbouring threads touch neighbouring words (sequential addressing),
//          which lie in different banks.
// Expect:  no bank conflicts; still half of the threads only load and never add.
// Limits:  one element per thread; partial sums go through global memory, level by level.
// Source:  Harris 2007, "Optimizing parallel reduction in CUDA", Reduction #3.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two; the kernel itself takes any

template <class C, class In>
__global__ void reduce3_sequential_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  const auto tile = dynamic_shared<typename C::Acc>();
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * threads + t;
  tile[t] = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();

  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void reduce3_sequential(const typename C::Args& a, Context& ctx) {
  const int threads = block_size(kThreads);
  const std::size_t bytes = threads * sizeof(typename C::Acc);
  reduce_in_levels<C>(a, ctx, threads, [&](const auto* in, auto n, auto blocks, auto* partial) {
    launch(ctx, blocks, threads, bytes, reduce3_sequential_tile<C, element_at<decltype(in)>>, in, n, partial);
  });
}

REGISTER(Reduce, reduce3_sequential, .note = "tree in shared memory, stride halves: no bank conflicts",
         .depth = depth_of_levels<kThreads>)

}  // namespace
}  // namespace tandem
