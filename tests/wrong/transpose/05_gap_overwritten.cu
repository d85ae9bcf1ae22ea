// Wrong:   ignores the leading dimension of the output and writes its rows without gaps.
// Caught:  the gaps between rows are compared too.

#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 32;                        // rows and columns of a tile
constexpr int kRowsPerBlock = kThreads / kTile;  // rows that a block moves at once

template <class T>
__global__ void gap_overwritten_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                                     T* out, std::int64_t, std::int64_t tiles_per_row) {
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kTile, col0 = blockIdx.x % tiles_per_row * kTile;
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  for (int i = y; i < kTile; i += kRowsPerBlock) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) out[col * rows + row] = in[row * ld_in + col];
  }
}

template <class C>
void gap_overwritten(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kTile);
  launch(ctx, ceil_div(a.rows, kTile) * tiles_per_row, kThreads, 0, gap_overwritten_tile<typename C::T>, a.in,
         a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, gap_overwritten, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
