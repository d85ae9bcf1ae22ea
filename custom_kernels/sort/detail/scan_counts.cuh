#pragma once
// Counts become offsets: what steps that count in one kernel and scatter in the next have between the two.

#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"
#include "tandem/operators.h"

namespace tandem {

/// One block: counts[i] becomes the sum of all counts before it, and counts[n] the sum of all.
template <int kThreads>
__global__ void scan_counts(std::uint32_t* counts, std::int64_t n) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ Shared<std::uint32_t, kWarps> warp_totals;
  const int t = threadIdx.x, warp = t / kWarp;
  std::uint32_t before = 0;
  for (std::int64_t first = 0; first < n; first += kThreads) {
    const std::int64_t i = first + t;
    const std::uint32_t own = i < n ? counts[i] : 0;
    const std::uint32_t through = warp_inclusive_scan<Plus>(own);
    __syncthreads();  // the totals of the round before are read
    if (t % kWarp == kWarp - 1) warp_totals[warp] = through;
    __syncthreads();
    std::uint32_t offset = before + through - own;
    for (int w = 0; w < kWarps; ++w) {
      const std::uint32_t total = warp_totals[w];
      if (w < warp) offset += total;
      before += total;
    }
    if (i < n) counts[i] = offset;
  }
  if (t == 0) counts[n] = before;
}

/// Where they are of 32 bits.
template <class Shape>
std::string refuse_long(const Shape& shape) {
  return shape.n >> 32 ? "counts in 32 bits: takes fewer than 2^32 keys" : "";
}

}  // namespace tandem
