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
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const T through = warp_inclusive_scan<Plus>(value);
  __syncthreads();  // the totals of the call before are read
  if (lane == kWarp - 1) warp_totals[warp] = through;
  __syncthreads();
  const T through_warp = warp_inclusive_scan<Plus>(lane < kWarps ? T(warp_totals[lane]) : T(0));
  const T earlier = shuffle(through_warp, warp > 0 ? warp - 1 : 0);
  total = shuffle(through_warp, kWarps - 1);
  return (warp > 0 ? earlier : T(0)) + through - value;
}

}  // namespace tandem
