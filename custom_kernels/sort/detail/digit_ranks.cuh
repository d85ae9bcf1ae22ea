#pragma once
// Where a tile's items go when the tile is ordered by a digit of at most eight bits: first how many items of each digit
// every warp has, then, with that, the place of each item, for which lanes with the same digit find each other.

#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"
#include "tandem/operators.h"

namespace tandem {

constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;

template <int kThreads, int kItems>
struct DigitRanks {
  static constexpr int kWarps = kThreads / kWarp;
  static constexpr int kTile = kThreads * kItems;
  static_assert(kThreads >= kDigits, "each digit has a thread");

  Shared<std::uint32_t, kWarps * kDigits>& of_warps;  // items of each digit: of a warp, then before it
  Shared<std::uint32_t, kWarps>& totals;

  /// The place in the tile of item k of the thread: striped within the warp's part.
  __device__ static int place(int k) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    return (warp * kItems + k) * kWarp + lane;
  }

  /// Called by the block: how many items of the tile have digit t, for thread t < kDigits.
  __device__ std::uint32_t count(const std::uint32_t (&digits)[kItems]) {
    const int t = threadIdx.x, own = t / kWarp * kDigits, lane = t % kWarp;
#pragma unroll
    for (int digit = lane; digit < kDigits; digit += kWarp) of_warps[own + digit] = 0;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < kItems; ++k) atomicAdd(&of_warps[own + int(digits[k])], 1u);
    __syncthreads();
    std::uint32_t total = 0;
    if (t < kDigits) {
#pragma unroll
      for (int warp = 0; warp < kWarps; ++warp) {
        const std::uint32_t of_warp = of_warps[warp * kDigits + t];
        of_warps[warp * kDigits + t] = total;
        total += of_warp;
      }
    }
    return total;
  }

  /// Called by the block: the sum of the values of the threads before this one; only threads below kDigits have one.
  __device__ std::uint32_t sum_before(std::uint32_t value) {
    const int warp = threadIdx.x / kWarp;
    const std::uint32_t through = warp_inclusive_scan<Plus>(value);
    __syncthreads();  // the totals of the call before are read
    if (threadIdx.x % kWarp == kWarp - 1) totals[warp] = through;
    __syncthreads();
    std::uint32_t before = through - value;
    for (int w = 0; w < warp && w < kDigits / kWarp; ++w) before += totals[w];
    return before;
  }

  /// Called by the block with what count() returned: digits become places in the ordered tile. Returns, for thread
  /// t < kDigits, where the items of digit t begin.
  __device__ std::uint32_t order(std::uint32_t total, std::uint32_t (&items)[kItems]) {
    const std::uint32_t start = sum_before(total);
    const int t = threadIdx.x, own = t / kWarp * kDigits, lane = t % kWarp;
    if (t < kDigits) {
#pragma unroll
      for (int warp = 0; warp < kWarps; ++warp) of_warps[warp * kDigits + t] += start;
    }
    __syncthreads();
    const unsigned below = (1u << lane) - 1, above = ~below << 1;
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      std::uint32_t& next = of_warps[own + int(items[k])];
      const unsigned same = lanes_with<kDigitBits>(items[k]);
      items[k] = next + std::uint32_t(__popc(same & below));
      __syncwarp();
      if ((same & above) == 0) next = items[k] + 1;
      __syncwarp();
    }
    return start;
  }
};

}  // namespace tandem
