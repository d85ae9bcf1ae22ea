// Idea:    a thread computes kRows × kCols results, kept in registers, straight from global memory.
// New:     against coalesced, an element of A serves kCols multiply-adds and one of B serves kRows.
// Expect:  kRows + kCols loads for kRows · kCols multiply-adds: 8 for 16. The warps of a block lie below each other, so
//          that a line of B that one of them fetches is in the cache for the others. Larger tiles load less and need
//          more registers; fewer threads are then left to cover the latency of the loads (sweeps/tile.cu).
// Limits:  every warp still loads for itself what its neighbours load too.
// Source:  Volkov, Demmel 2008, "Benchmarking GPUs to tune dense linear algebra".

#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kLanes = 32;  // threads side by side: their results lie kLanes columns apart

template <class C, int kRows, int kCols>
__global__ void __launch_bounds__(kThreads)
    register_tile_thread(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  const std::int64_t warp = blockIdx.x / tiles_per_row * (kThreads / kLanes) + threadIdx.x / kLanes;
  const std::int64_t row0 = warp * kRows;
  const std::int64_t col0 = blockIdx.x % tiles_per_row * (kCols * kLanes) + threadIdx.x % kLanes;
  if (row0 >= g.m || col0 >= g.n) return;

  // What lies beyond the edge is computed from the last row or column, and not written.
  const T* a[kRows];
  const T* b[kCols];
#pragma unroll
  for (int i = 0; i < kRows; ++i) a[i] = &g.a(min(row0 + i, g.m - 1), 0);
#pragma unroll
  for (int j = 0; j < kCols; ++j) b[j] = &g.b(0, min(col0 + j * kLanes, g.n - 1));
  T sum[kRows][kCols] = {};
#pragma unroll 1
  for (std::int64_t p = 0; p < g.k; ++p) {
    T left[kRows], right[kCols];
#pragma unroll
    for (int i = 0; i < kRows; ++i) left[i] = a[i][p * g.a.col];
#pragma unroll
    for (int j = 0; j < kCols; ++j) right[j] = b[j][p * g.b.row];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
#pragma unroll
      for (int j = 0; j < kCols; ++j) sum[i][j] += left[i] * right[j];
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kCols; ++j) {
      const std::int64_t row = row0 + i, col = col0 + j * kLanes;
      if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum[i][j], g.alpha, g.beta);
    }
  }
}

template <class C, int kRows = 4, int kCols = 4>
void register_tile(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, kCols * kLanes);
  const std::int64_t blocks = ceil_div(g.m, kRows * kThreads / kLanes) * tiles_per_row;
  launch(ctx, blocks, kThreads, 0, register_tile_thread<C, kRows, kCols>, g, tiles_per_row);
}

REGISTER(Gemm, register_tile, .note = "4 x 4 results per thread, straight from global memory")

}  // namespace
}  // namespace tandem
