// Wrong:   the matrix is copied, not transposed.
// Caught:  all trials whose matrix is not symmetric.

#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 32;                        // rows and columns of a tile
constexpr int kRowsPerBlock = kThreads / kTile;  // rows that a block moves at once

template <class T>
__global__ void copied_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                            std::int64_t ld_out, std::int64_t tiles_per_row) {
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kTile, col0 = blockIdx.x % tiles_per_row * kTile;
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  for (int i = y; i < kTile; i += kRowsPerBlock) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < min(rows, cols) && col < min(rows, cols)) out[row * ld_out + col] = in[row * ld_in + col];
  }
}

template <class C>
void copied(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kTile);
  launch(ctx, ceil_div(a.rows, kTile) * tiles_per_row, kThreads, 0, copied_tile<typename C::T>, a.in, a.rows,
         a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, copied, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
