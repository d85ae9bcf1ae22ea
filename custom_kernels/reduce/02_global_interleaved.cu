// Idea:    a tree in global memory. In round r the stride is 2^r: every thread whose index is a multiple of
//          the stride adds to its value the one that lies a stride further on. After log2(tile) rounds the
//          first value is the sum of the tile.
// New:     against threads, thousands of threads and a tree instead of a few threads that each loop over a
//          chunk.
// Expect:  every round reads and writes global memory. The active threads spread out: from the second round
//          on most lanes of a warp are idle (divergence), and the words that the others touch lie in ever
//          more cache lines (uncoalesced).
// Limits:  works on a copy, because the tree overwrites its input: twice the traffic
//          before the first addition.
// Source:  Kirk, Hwu, El Hajj, "Programming Massively Parallel Processors", 4th edition,
//          chapter 10: the simple kernel.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two; the kernel itself takes any

template <class C>
__global__ void global_interleaved_tile(typename C::Acc* values, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  const std::int64_t first = std::int64_t(blockIdx.x) * 2 * threads;
  const std::int64_t i = first + 2 * t;

  for (int stride = 1; stride <= threads; stride *= 2) {
    if (t % stride == 0 && i + stride < n) values[i] = Op{}(values[i], values[i + stride]);
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = values[first];
}

template <class C>
void global_interleaved(const typename C::Args& a, Context& ctx) {
  const int threads = block_size(kThreads);
  reduce_copy_in_levels<C>(a, ctx, 2 * threads, [&](auto* values, auto n, auto blocks, auto* partial) {
    launch(ctx, blocks, threads, 0, global_interleaved_tile<C>, values, n, partial);
  });
}

REGISTER(Reduce, global_interleaved, .note = "tree in global memory, stride doubles: divergent and scattered",
         .depth = depth_of_levels<2 * kThreads>)

}  // namespace
}  // namespace tandem
