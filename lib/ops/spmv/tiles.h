#pragma once
// Where tiles of a kept analysis begin.

#include <algorithm>
#include <span>
#include <vector>

#include "lib/ops/spmv/contract.h"

namespace tandem {

/// Each one, and where the last one ends. O(rows + tiles).
inline std::vector<PathPoint> tiles_of(std::span<const std::int64_t> offsets) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1, items = offsets.back() + rows;
  std::vector<PathPoint> begins;
  std::int64_t ends = 0;
  for (std::int64_t item = 0; item < items + Spmv::kTile; item += Spmv::kTile) {
    const std::int64_t here = std::min(item, items);
    while (ends < rows && offsets[static_cast<std::size_t>(ends) + 1] + ends + 1 <= here) ++ends;
    begins.push_back({ends, here - ends});
  }
  return begins;
}

}  // namespace tandem
