// Idea:    a thread computes kRows × kCols results, kept in registers, straight from global memory, and loads
//          the inputs of kInputs steps of k before it multiplies any.
// New:     against register_tile, kInputs times as many loads are in flight at once.
// Expect:  the same loads and multiply-adds; their latency is waited for once in kInputs steps. With A
//          row-major, a thread's kInputs elements of a row lie side by side.
// Limits:  (kRows + kCols) · kInputs more registers, which cost threads (sweeps/inputs.cu).
// Source:  Volkov 2010, "Better performance at lower occupancy".

#include "custom_kernels/common/kernel.cuh"
#include "lib/ops/gemm.h"

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

  // How much of the tile lies inside C: beyond the edge nothing is loaded, and zeros add nothing.
  const int rows = int(min(std::int64_t{kRows}, g.m - row0));
  const int cols = int(min(std::int64_t{kCols}, ceil_div(g.n - col0, kLanes)));
  const T* a = &g.a(row0, 0);
  const T* b = &g.b(0, col0);
  T sum[kRows][kCols] = {};
#pragma unroll 1
  for (std::int64_t p = 0; p < g.k; p += kInputs) {
    T left[kInputs][kRows], right[kInputs][kCols];
#pragma unroll
    for (int q = 0; q < kInputs; ++q, a += g.a.col, b += g.b.row) {
      const bool inside = p + q < g.k;
#pragma unroll
      for (int i = 0; i < kRows; ++i) left[q][i] = inside && i < rows ? a[i * g.a.row] : T(0);
#pragma unroll
      for (int j = 0; j < kCols; ++j) right[q][j] = inside && j < cols ? b[j * kLanes * g.b.col] : T(0);
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
      if (i < rows && j < cols)
        C::update(g.c[(row0 + i) * g.ldc + col0 + j * kLanes], sum[i][j], g.alpha, g.beta);
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
