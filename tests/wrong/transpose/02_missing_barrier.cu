// Wrong:   no barrier between writing the tile and reading it.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 32;                        // rows and columns of a tile
constexpr int kRowsPerBlock = kThreads / kTile;  // rows that a block moves at once

template <class T>
__global__ void missing_barrier_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                                     T* out, std::int64_t ld_out, std::int64_t tiles_per_row) {
  __shared__ Shared<T, kTile, kTile + 1> tile;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kTile, col0 = blockIdx.x % tiles_per_row * kTile;
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
#pragma unroll
  for (int i = y; i < kTile; i += kRowsPerBlock) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) tile[i][x] = in[row * ld_in + col];
  }
#pragma unroll
  for (int j = y; j < kTile; j += kRowsPerBlock) {
    const std::int64_t row = row0 + x, col = col0 + j;
    if (row < rows && col < cols) out[col * ld_out + row] = tile[x][j];
  }
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kTile);
  launch(ctx, ceil_div(a.rows, kTile) * tiles_per_row, kThreads, 0, missing_barrier_tile<typename C::T>, a.in,
         a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, missing_barrier, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
