#pragma once
// What stands around a library's sort of everything on the GPU: positions before it, the first k behind it.

#include "lib/core/library_call.h"
#include "lib/ops/top_k/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kNumberThreads = 256;

__global__ void number(std::int64_t* positions, std::int64_t n) {
  start_early();
  const std::int64_t i = std::int64_t(blockIdx.x) * kNumberThreads + threadIdx.x;
  if (i < n) positions[i] = i;
}

/// The positions 0, 1, …, n − 1.
std::int64_t* numbered(std::int64_t n, Context& ctx) {
  auto* positions = ctx.scratch<std::int64_t>(n);
  launch_early(ctx, ceil_div(n, kNumberThreads), kNumberThreads, 0, number, positions, n);
  return positions;
}

template <class Key, class T>
void take_sorted(const TopK::ArgsOf<Key>& a, const T* keys, const std::int64_t* positions, Context& ctx) {
  const auto k = static_cast<std::size_t>(a.k);
  if (a.keys_out) ctx.copy(a.keys_out, keys, k * sizeof(T));
  if (a.positions_out) ctx.copy(a.positions_out, positions, k * sizeof(std::int64_t));
}

}  // namespace
}  // namespace tandem
