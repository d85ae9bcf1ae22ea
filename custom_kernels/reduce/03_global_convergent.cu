// Idea:    a tree in global memory whose stride halves: the first half of the threads adds the second half of
//          the values to the first, then the first quarter the second quarter, and so on.
// New:     against global_interleaved, the active threads are always the first ones and
//          touch neighbouring words.
// Expect:  whole warps retire together, so only the last five rounds diverge; every access of a full
//          warp is one 128-byte line (coalesced). A quarter of the lines of the interleaved tree, and
//          half of its warp instructions.
// Limits:  still a copy first, and still every round goes through global memory.
// Source:  Kirk, Hwu, El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter
//          10: the convergent kernel.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two; the kernel itself takes any

template <class C>
__global__ void global_convergent_tile(typename C::Acc* values, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t first = std::int64_t(blockIdx.x) * 2 * threads;
  const std::int64_t i = first + t;

  for (int stride = threads; stride > 0; stride /= 2) {
    if (t < stride && i + stride < n) values[i] = Op{}(values[i], values[i + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = values[first];
}

template <class C>
void global_convergent(const typename C::Args& a, Context& ctx) {
  const int threads = block_size(kThreads);
  reduce_copy_in_levels<C>(a, ctx, 2 * threads, [&](auto* values, auto n, auto blocks, auto* partial) {
    launch(ctx, blocks, threads, 0, global_convergent_tile<C>, values, n, partial);
  });
}

REGISTER(Reduce, global_convergent, .note = "tree in global memory, stride halves: threads stay together",
         .depth = depth_of_levels<2 * kThreads>)

}  // namespace
}  // namespace tandem
