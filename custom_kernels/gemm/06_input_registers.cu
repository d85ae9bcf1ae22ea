// Idea:    a thread computes kRows × kCols results, kept in registers, straight from global memory, and loads
//          the inputs of kInputs steps of k before it multiplies any.
// New:     against register_tile, kInputs times as many loads are in flight at once.
// Expect:  the same loads and multiply-adds; their latency is waited for once in kInputs steps. With A
//          row-major, a thread's kInputs elements of a row lie side by side.
// Limits:  (kRows + kCols) · kInputs more registers, which cost threads (sweeps/inputs.cu).
// Source:  Volkov 2010, "Better performance at lower occupancy".

#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 128;
constexpr int kLanes = 32;  // threads side by side: their results lie kLanes columns apart

template <class C, int kRows, int kCols, int kInputs>
__global__ void __launch_bounds__(kThreads)
    input_registers_thread(typename C::Args g, std::int64_t tiles_per_row) {
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
  for (std::int64_t p = 0; p < g.k; p += kInputs) {
    T left[kInputs][kRows], right[kInputs][kCols];
#pragma unroll
    for (int q = 0; q < kInputs; ++q) {
      const bool inside = p + q < g.k;  // beyond the end of k, zeros add nothing
#pragma unroll
      for (int i = 0; i < kRows; ++i) left[q][i] = inside ? a[i][(p + q) * g.a.col] : T(0);
#pragma unroll
      for (int j = 0; j < kCols; ++j) right[q][j] = inside ? b[j][(p + q) * g.b.row] : T(0);
    }
#pragma unroll
    for (int q = 0; q < kInputs; ++q) {
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int j = 0; j < kCols; ++j) sum[i][j] += left[q][i] * right[q][j];
      }
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

template <class C, int kRows = 4, int kCols = 4, int kInputs = 4>
void input_registers(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, kCols * kLanes);
  const std::int64_t blocks = ceil_div(g.m, kRows * kThreads / kLanes) * tiles_per_row;
  launch(ctx, blocks, kThreads, 0, input_registers_thread<C, kRows, kCols, kInputs>, g, tiles_per_row);
}

REGISTER(Gemm, input_registers, .note = "register_tile, with the inputs of 4 steps of k loaded ahead")

}  // namespace
}  // namespace tandem
