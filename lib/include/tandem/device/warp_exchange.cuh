#pragma once
// Where a warp turns its numbers round: read as memory has them, neighbours in neighbouring lanes, worked on as runs, each
// of which is one lane's.

#include "tandem/device/warp.cuh"

namespace tandem {

/// 32 runs of kRows numbers in the block's dynamic shared memory, from `base` on. Behind each run a number is left out, so
/// that lanes meet in no bank.
template <class T, int kRows>
struct WarpTile {
  static constexpr int kSize = kWarp * (kRows + 1);
  int base;

  /// Number k · 32 + lane of the tile.
  __device__ T& across(int k) const {
    const int slot = k * kWarp + int(threadIdx.x) % kWarp;
    auto memory = dynamic_shared<T>();
    return memory[base + slot / kRows * (kRows + 1) + slot % kRows];
  }
  /// Where the lane's run begins.
  __device__ int run() const { return base + int(threadIdx.x) % kWarp * (kRows + 1); }

  __device__ void to_runs(const T* across_lanes, T (&along)[kRows]) const {
    auto memory = dynamic_shared<T>();
    __syncwarp();
#pragma unroll
    for (int k = 0; k < kRows; ++k) across(k) = across_lanes[k];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kRows; ++i) along[i] = memory[run() + i];
  }
  /// After this across(k) holds the runs' numbers.
  __device__ void from_runs(const T (&along)[kRows]) const {
    auto memory = dynamic_shared<T>();
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kRows; ++i) memory[run() + i] = along[i];
    __syncwarp();
  }
};

template <class Row>
__device__ Row shuffle_row(const Row& row, int lane) {
  return {shuffle(row.lower, lane), shuffle(row.upper, lane), shuffle(row.rhs, lane)};
}

}  // namespace tandem
