#pragma once
// Columns across lanes: up to 32 neighbouring lanes have neighbouring columns of B and C, and one row or share of A.

#include "lib/ops/spmm/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {

constexpr int kColumnThreads = 256;

/// How columns and lanes go together.
struct ColumnLanes {
  int lanes;  // a power of two: as many as there are columns, if these are fewer than a warp's lanes
  std::int64_t blocks;  // of so many columns, side by side in the grid

  explicit ColumnLanes(std::int64_t width) : lanes(kWarp) {
    while (lanes / 2 >= width) lanes /= 2;
    blocks = ceil_div(width, lanes);
  }
  /// Of a launch in which each of `items` has lanes for all columns.
  std::int64_t grid(std::int64_t items) const { return ceil_div(items * blocks * lanes, kColumnThreads); }
  __device__ std::int64_t group() const {
    return (std::int64_t(blockIdx.x) * kColumnThreads + threadIdx.x) / lanes;
  }
  /// Which of the items and which column a thread has; the column may lie behind the last one.
  __device__ std::int64_t item() const { return group() / blocks; }
  __device__ std::int64_t column() const { return group() % blocks * lanes + int(threadIdx.x) % lanes; }
};

}  // namespace tandem
