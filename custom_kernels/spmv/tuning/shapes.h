#pragma once
// Where this folder's tunings are measured, and a model of loads on their way.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tandem {

inline std::vector<std::vector<std::int64_t>> tuning_shapes() {
  return {{1 << 20, 4}, {1 << 20, 7}, {1 << 20, 27}, {1 << 16, 256}};
}

/// Share of the bandwidth of the memory, where each lane has so many elements, 8 bytes each, on their way at once half of the
/// time. A multiprocessor's share of the bandwidth times the latency is about 32 KiB (Little's law).
inline double share_on_their_way(int elements, int warps) {
  constexpr double kBytes = 8, kLanes = 32, kBusy = 0.5, kNeeded = 32 << 10;
  return std::min(1.0, kBusy * kBytes * kLanes * elements * warps / kNeeded);
}

}  // namespace tandem
