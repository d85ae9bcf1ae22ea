// Idea:    a block sums its tile in a tree in shared memory whose stride doubles: thread t adds element t +
//          stride if t is a multiple of twice the stride.
// New:     against global_convergent, the rounds go through shared memory: global memory is read once and
//          gets one value per block, and the input needs no copy. (The threads are numbered as in
//          global_interleaved again.)
// Expect:  global traffic falls to the minimum; now the instructions count. In every round all warps that
//          hold an active lane execute, with 16, 8, 4, … active lanes, and the remainder % is slow itself.
// Limits:  one element per thread; partial sums go through global memory, level by level.
// Source:  Harris 2007, "Optimizing parallel reduction in CUDA", Reduction #1.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two

template <class C, class In>
__global__ void reduce1_modulo_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t(blockIdx.x) * threads + t;
  tile[t] = i < n ? C::load(in[i]) : Op::template identity<typename C::Acc>();
  __syncthreads();

  for (int stride = 1; stride < threads; stride *= 2) {
    if (t % (2 * stride) == 0) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C>
void reduce1_modulo(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(
      a, ctx, kThreads, [&](const auto* in, std::int64_t n, std::int64_t blocks, auto* partial) {
        launch(ctx, blocks, kThreads, 0, reduce1_modulo_tile<C, element_at<decltype(in)>>, in, n, partial);
      });
}

REGISTER(Reduce, reduce1_modulo, .note = "tree in shared memory, % picks the threads: divergent",
         .depth = depth_of_levels<kThreads>)

}  // namespace
}  // namespace tandem
