#pragma once
// Error analysis of trees: host code only.

#include <bit>
#include <cstdint>

namespace tandem {

/// Longest chain of roundings of a tree taken level by level, in which each tile of kTile values leaves
/// one for the next level until one is left. A level adds at most kChain roundings, log2(kTile) for a
/// balanced tree over its tile.
template <int kTile, int kChain = std::bit_width(unsigned(kTile - 1))>
double depth_of_levels(std::int64_t n) {
  double depth = kChain;
  for (; n > kTile; n = (n + kTile - 1) / kTile) depth += kChain;
  return depth;
}

}  // namespace tandem
