// Idea:    a block computes kSide × kSide results from tiles in shared memory; each of its threads keeps
//          kRows × kCols of them in registers.
// New:     shared_tile and register_tile together: what a thread loads from shared memory serves several
//          multiply-adds too.
// Expect:  8 loads from shared memory for 16 multiply-adds instead of 32; a global element serves 64 results.
// Limits:  loads of 4 bytes; between two barriers a block either loads or computes.
// Source:  Volkov, Demmel 2008, "Benchmarking GPUs to tune dense linear algebra"; Boehm 2022: kernel 5.

#include "tandem/device/launch.cuh"
#include "lib/ops/gemm/contract.h"

namespace tandem {
namespace {

constexpr int kSide = 64;            // of a block's tile of C
constexpr int kDepth = 16;           // steps of k in a tile
constexpr int kRows = 4, kCols = 4;  // results of a thread, kLanes rows and columns apart
constexpr int kLanes = kSide / kRows;
constexpr int kThreads = kLanes * kLanes;

template <class C>
__global__ void __launch_bounds__(kThreads) block_tile_block(typename C::Args g, std::int64_t tiles_per_row) {
  using T = typename C::T;
  constexpr int kPitch = kSide + 1;  // A comes in along k: an odd pitch puts its columns in different banks
  __shared__ Shared<T, kDepth * kPitch> a;
  __shared__ Shared<T, kDepth * kPitch> b;
  const int x = threadIdx.x % kLanes, y = threadIdx.x / kLanes;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  T sum[kRows][kCols] = {};
  for (std::int64_t p0 = 0; p0 < g.k; p0 += kDepth) {
#pragma unroll
    for (int t = threadIdx.x; t < kSide * kDepth; t += kThreads) {
      // Zeros beyond the edges add nothing.
      const int i = t / kDepth, p = t % kDepth, q = t / kSide, j = t % kSide;
      a[p * kPitch + i] = row0 + i < g.m && p0 + p < g.k ? g.a(row0 + i, p0 + p) : T(0);
      b[q * kPitch + j] = p0 + q < g.k && col0 + j < g.n ? g.b(p0 + q, col0 + j) : T(0);
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      T left[kRows], right[kCols];
#pragma unroll
      for (int i = 0; i < kRows; ++i) left[i] = a[p * kPitch + y + i * kLanes];
#pragma unroll
      for (int j = 0; j < kCols; ++j) right[j] = b[p * kPitch + x + j * kLanes];
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int j = 0; j < kCols; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
#pragma unroll
    for (int j = 0; j < kCols; ++j) {
      const std::int64_t row = row0 + y + i * kLanes, col = col0 + x + j * kLanes;
      if (row < g.m && col < g.n) C::update(g.c[row * g.ldc + col], sum[i][j], g.alpha, g.beta);
    }
  }
}

template <class C>
void block_tile(const typename C::Args& g, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(g.n, kSide);
  launch(ctx, ceil_div(g.m, kSide) * tiles_per_row, kThreads, 0, block_tile_block<C>, g, tiles_per_row);
}

REGISTER(Gemm, block_tile, .note = "64 x 64 tiles in shared memory, 4 x 4 results per thread")

}  // namespace
}  // namespace tandem
