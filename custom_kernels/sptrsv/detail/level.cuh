#pragma once
// A launch for the rows of a level.

#include "custom_kernels/sptrsv/detail/row.h"
#include "tandem/device/launch.cuh"

namespace tandem {

constexpr int kLevelThreads = 128;

template <class Args>
__global__ void level_rows(Args a, std::int64_t begin, std::int64_t end) {
  start_early();
  const std::int64_t i = begin + std::int64_t(blockIdx.x) * kLevelThreads + threadIdx.x;
  if (i < end) solve_row(a, a.order[i]);
}

/// A thread for each row of the level.
template <class Args>
void solve_level(const Args& a, std::int64_t level, Context& ctx) {
  const std::int64_t begin = a.begins[level], end = a.begins[level + 1];
  launch_early(ctx, ceil_div(end - begin, kLevelThreads), kLevelThreads, 0, level_rows<Args>, a, begin, end);
}

}  // namespace tandem
