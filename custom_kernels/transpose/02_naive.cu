// Idea:    a block of 256 threads takes a tile of 32 × 32 elements; each thread moves
//          four of them, one by one.
// Expect:  reads are coalesced: the lanes of a warp read 32 neighbours, one or two cache lines. Writes are
//          not: they go to 32 rows, a sector of 32 bytes for each element, so for floats they move eight
//          times as much as they should, unless the cache combines them.
// Limits:  the stride of the writes; large powers of two are worst, because all lanes then
//          compete for a few cache sets.
// Source:  Ruetsch, Micikevicius 2009, "Optimizing matrix transpose in CUDA": transposeNaive.

#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 32;                        // rows and columns of a tile
constexpr int kRowsPerBlock = kThreads / kTile;  // rows that a block moves at once

template <class T>
__global__ void transpose_naive(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                                std::int64_t ld_out, std::int64_t tiles_per_row) {
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kTile, col0 = blockIdx.x % tiles_per_row * kTile;
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  for (int i = y; i < kTile; i += kRowsPerBlock) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) out[col * ld_out + row] = in[row * ld_in + col];
  }
}

template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kTile);
  launch(ctx, ceil_div(a.rows, kTile) * tiles_per_row, kThreads, 0, transpose_naive<typename C::T>, a.in,
         a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, naive, .note = "one element at a time: reads coalesced, writes not",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
