#pragma once
// One bit splits a block's items: those with a 0 go before those with a 1, and both keep their order.

#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {

/// Called by a block of kThreads: how many threads before this one hold a zero. `total`: how many there are.
template <int kThreads>
__device__ int zeros_before(bool zero, int& total) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ Shared<int, kWarps> warp_zeros;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const unsigned zeros = __ballot_sync(kAllLanes, zero);
  __syncthreads();  // those of the call before are read
  if (lane == 0) warp_zeros[warp] = __popc(zeros);
  __syncthreads();
  int before = __popc(zeros & ((1u << lane) - 1));
  total = 0;
  for (int w = 0; w < kWarps; ++w) {
    const int zeros_of_warp = warp_zeros[w];
    if (w < warp) before += zeros_of_warp;
    total += zeros_of_warp;
  }
  return before;
}

}  // namespace tandem
