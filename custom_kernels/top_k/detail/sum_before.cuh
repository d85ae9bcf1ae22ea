#pragma once
// A scan over the threads of a block.

#include "tandem/device/warp.cuh"
#include "tandem/operators.h"

namespace tandem {

/// Called by all kThreads threads of a block: the sum of the values of the threads before this one. `total`: of all.
template <int kThreads, class T>
__device__ T sum_before(T value, T& total) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ Shared<T, kWarps> warp_totals;
  const int warp = threadIdx.x / kWarp;
  const T through = warp_inclusive_scan<Plus>(value);
  __syncthreads();  // the totals of the call before are read
  if (threadIdx.x % kWarp == kWarp - 1) warp_totals[warp] = through;
  __syncthreads();
  T before = through - value;
  total = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    const T of_warp = warp_totals[w];
    if (w < warp) before += of_warp;
    total += of_warp;
  }
  return before;
}

}  // namespace tandem
