#pragma once
// Where a tile's items go when the tile is ordered by a digit of at most eight bits, each of which a warp finds by
// itself: lanes with the same digit find each other, and only the counts of the warps meet.

#include "lib/ops/sort/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"
#include "tandem/operators.h"

namespace tandem {

constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;

/// Bytes of shared memory for each item that changes places: first its key, then its value.
template <class Key, class Value>
constexpr std::size_t exchange_bytes = Sort::Items<Key, Value>::kPairs && sizeof(Value) > sizeof(Key)
                                           ? sizeof(Value)
                                           : sizeof(Key);

template <int kThreads, int kItems>
struct DigitRanks {
  static constexpr int kWarps = kThreads / kWarp;
  static constexpr int kTile = kThreads * kItems;
  static_assert(kThreads >= kDigits, "each digit has a thread");

  Shared<std::uint32_t, kWarps * kDigits>& of_warps;  // items of each digit in the warps before
  Shared<std::uint32_t, kDigits>& starts;             // of the digits' runs in the tile
  Shared<std::uint32_t, kWarps>& totals;

  /// The place in the tile of item k of the thread: striped within the warp's part.
  __device__ static int place(int k) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    return (warp * kItems + k) * kWarp + lane;
  }

  /// Called by the block: ranks[k] becomes that of item k among the items of its digit in its warp. Returns how many
  /// items of the tile have digit t, for thread t < kDigits.
  __device__ std::uint32_t count(const unsigned (&digits)[kItems], std::uint32_t (&ranks)[kItems]) {
    const int t = threadIdx.x, own = t / kWarp * kDigits, lane = t % kWarp;
    for (int digit = lane; digit < kDigits; digit += kWarp) of_warps[own + digit] = 0;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const unsigned same = __match_any_sync(kAllLanes, digits[k]), below = same & ((1u << lane) - 1);
      const std::uint32_t before = of_warps[own + digits[k]];
      ranks[k] = before + std::uint32_t(__popc(below));
      __syncwarp();
      if (below == 0) of_warps[own + digits[k]] = before + std::uint32_t(__popc(same));
      __syncwarp();
    }
    __syncthreads();
    std::uint32_t total = 0;
    if (t < kDigits) {
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

  /// Called by the block: ranks become places in the ordered tile. `total`: what count() returned.
  __device__ void order(std::uint32_t total, const unsigned (&digits)[kItems],
                        std::uint32_t (&ranks)[kItems]) {
    const std::uint32_t start = sum_before(total);
    if (threadIdx.x < kDigits) starts[threadIdx.x] = start;
    __syncthreads();
    const int own = threadIdx.x / kWarp * kDigits;
#pragma unroll
    for (int k = 0; k < kItems; ++k) ranks[k] += starts[digits[k]] + of_warps[own + digits[k]];
  }
};

}  // namespace tandem
