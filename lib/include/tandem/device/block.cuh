#pragma once
// Block-level primitives: the threads of a block work together through shared memory. They hold barriers, so
// all threads of the block must call them, outside any branch that only some of the threads take.

#include "tandem/device/warp.cuh"

namespace tandem {

/// Thread 0 of the block gets op over the values of all threads, in thread order; the result of the others
/// is unspecified. Called by all kThreads threads of the block, a multiple of 32. Takes kThreads / 32
/// values of shared memory and one __syncthreads(); a second call needs a __syncthreads() before it,
/// because it reuses that memory.
template <int kThreads, class Op, class T>
__device__ T block_reduce(T value, Op op = {}) {
  constexpr int kWarps = kThreads / kWarp;
  static_assert(kThreads % kWarp == 0 && kWarps <= kWarp, "one warp reduces the totals of all warps");
  __shared__ Shared<T, kWarps> warp_totals;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  value = warp_reduce(value, op);
  if (lane == 0) warp_totals[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_reduce(lane < kWarps ? warp_totals[lane] : op.template identity<T>(), op);
  return value;
}

}  // namespace tandem
