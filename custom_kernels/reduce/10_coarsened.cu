// Idea:    each thread first adds a column of 2·kCoarse elements in a register; the tree in shared memory
//          then runs once per block for all of them.
// New:     against reduce5_last_warp (whose levels come back, and with them a fixed order of additions), a
//          block takes 2·kCoarse elements per thread instead of two.
// Expect:  barriers, half-empty rounds and block starts are shared by 2·kCoarse elements per thread; as many
//          independent loads are in flight, which hides the latency of memory. Time should fall towards bytes
//          ÷ bandwidth. Too large a factor leaves multiprocessors without a block.
// Limits:  4-byte loads for 4-byte elements; the factor is fixed, whatever n is (tuning/coarsening.cu has others).
// Source:  Kirk, Hwu, El Hajj, "Programming Massively Parallel Processors", 4th edition,
//          chapter 10: thread coarsening.

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two
constexpr int kCoarse = 8;     // unless a tuning asks for another factor
constexpr int kTile = 2 * kCoarse * kThreads;

/// kLast: as many values are left to one warp, which needs no block barrier (0: none are).
template <class C, class In, int kFactor, int kLast>
__global__ void coarsened_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kThreads> tile;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  std::int64_t i = std::int64_t(blockIdx.x) * (2 * kFactor) * threads + t;
  auto sum = Op::template identity<typename C::Acc>();
#pragma unroll
  for (int k = 0; k < 2 * kFactor; ++k, i += threads) {
    if (i < n) sum = Op{}(sum, C::load(in[i]));
  }
  tile[t] = sum;

  int stride = threads / 2;
  for (; stride > kLast; stride /= 2) {
    __syncthreads();
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
  }
  if (kLast > 0) __syncthreads();
  if (t >= kWarp) return;
  for (; stride > 0; stride /= 2) {
    if (t < stride) tile[t] = Op{}(tile[t], tile[t + stride]);
    __syncwarp();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
}

template <class C, int kFactor = kCoarse, int kLast = kWarp>
void coarsened(const typename C::Args& a, Context& ctx) {
  const int threads = block_size(kThreads, kThreads);
  reduce_in_levels<C>(a, ctx, 2 * kFactor * threads, [&](const auto* in, auto n, auto blocks, auto* partial) {
    launch(ctx, blocks, threads, 0, coarsened_tile<C, element_at<decltype(in)>, kFactor, kLast>, in, n,
           partial);
  });
}

constexpr int kChain = 2 * kCoarse + 8;  // a column, then log2(kThreads) rounds of the tree
REGISTER(Reduce, coarsened, .note = "each thread adds 16 elements before the tree",
         .depth = depth_of_levels<kTile, kChain>)

}  // namespace
}  // namespace tandem
