// Idea:    the lanes of a warp exchange registers. Each warp reduces its 32 sums by five shuffles, and the
//          first warp reduces the sums of the warps in the same way.
// New:     against coarsened, the tree runs in registers: shared memory holds one value per warp instead of
//          one per thread, and one barrier of the block is left.
// Expect:  ten shuffles and one barrier instead of eight rounds through shared memory and three
//          barriers. For large n the loads remain the limit, so this shows where blocks are short:
//          small n and the later levels.
// Limits:  4-byte loads for 4-byte elements; still one launch per level.
// Source:  Luitjens 2014, "Faster parallel reductions on Kepler" (NVIDIA developer blog).

#include "custom_kernels/reduce/detail/levels.cuh"
#include "lib/ops/reduce/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;  // a power of two
constexpr int kWarps = kThreads / kWarp;
constexpr int kCoarse = 8;
constexpr int kTile = 2 * kCoarse * kThreads;

template <class C, class In>
__global__ void warp_shuffle_tile(const In* in, std::int64_t n, typename C::Acc* partial) {
  using Op = typename C::Op;
  __shared__ Shared<typename C::Acc, kWarps> warp_totals;
  const int threads = blockDim.x;
  const int t = threadIdx.x;
  std::int64_t i = std::int64_t(blockIdx.x) * (2 * kCoarse) * threads + t;
  auto sum = Op::template identity<typename C::Acc>();
#pragma unroll
  for (int k = 0; k < 2 * kCoarse; ++k, i += threads) {
    if (i < n) sum = Op{}(sum, C::load(in[i]));
  }

  sum = warp_reduce<Op>(sum);
  if (t % kWarp == 0) warp_totals[t / kWarp] = sum;
  __syncthreads();
  if (t >= kWarp) return;
  sum = t < kWarps ? warp_totals[t] : Op::template identity<typename C::Acc>();
  sum = warp_reduce<Op>(sum);
  if (t == 0) partial[blockIdx.x] = sum;
}

template <class C>
void warp_shuffle(const typename C::Args& a, Context& ctx) {
  reduce_in_levels<C>(a, ctx, kTile, [&](const auto* in, auto n, auto blocks, auto* partial) {
    launch(ctx, blocks, kThreads, 0, warp_shuffle_tile<C, element_at<decltype(in)>>, in, n, partial);
  });
}

constexpr int kChain = 2 * kCoarse + 8;  // a column, then log2(kThreads) rounds of the tree
REGISTER(Reduce, warp_shuffle, .note = "shuffles in registers instead of a tree in shared memory",
         .depth = depth_of_levels<kTile, kChain>)

}  // namespace
}  // namespace tandem
