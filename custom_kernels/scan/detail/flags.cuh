#pragma once
// Scans of flags: how many elements before each have one, which is where a textbook lets it go.

#include <string>

#include "custom_kernels/scan/detail/levels.cuh"
#include "lib/ops/scan/contract.h"
#include "tandem/device/warp.cuh"

namespace tandem {

using Flags = Scan::Case<std::int32_t, Plus>;

/// As scan_in_levels asks: a block scans a tile of kThreads flags.
template <int kThreads>
__global__ void scan_flags(const std::int32_t* in, std::int64_t n, std::int32_t* out, bool exclusive,
                           std::int32_t init, std::int32_t* totals) {
  constexpr int kWarps = kThreads / kWarp;
  __shared__ Shared<std::int32_t, kWarps> warp_totals;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int32_t flag = i < n ? in[i] : 0;
  const std::int32_t through = warp_inclusive_scan<Plus>(flag);
  if (lane == kWarp - 1) warp_totals[warp] = through;
  __syncthreads();
  std::int32_t before = 0;
  for (int w = 0; w < warp; ++w) before += warp_totals[w];
  if (threadIdx.x == kThreads - 1) totals[blockIdx.x] = before + through;
  if (i < n) out[i] = init + before + through - (exclusive ? flag : 0);
}

inline std::string refuse_beyond_flags(std::int64_t n) {
  constexpr std::int64_t kMost = 0x7fffffff;
  if (n <= kMost) return {};
  return "n = " + std::to_string(n) + " exceeds " + std::to_string(kMost) + ": positions have 32 bits";
}

}  // namespace tandem
