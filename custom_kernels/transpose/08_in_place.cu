// Idea:    a block takes a tile and its mirror image beyond the diagonal: both are read
//          before either is written.
// New:     against the steps before, no second matrix: the only step that transposes a square in place.
// Expect:  the traffic of an out-of-place transposition, n² read and n² written.
// Limits:  square matrices. The blocks below the diagonal, nearly half of them, exit at once.
// Source:  Ruetsch, Micikevicius 2009, for the tile; the pairing of tiles is folklore.

#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 32;                        // rows and columns of a tile
constexpr int kRowsPerBlock = kThreads / kTile;  // rows that a block moves at once

template <class T>
__global__ void swap_tiles(T* matrix, std::int64_t n, std::int64_t ld, std::int64_t tiles_per_row) {
  __shared__ Shared<T, kTile, kTile + 1> upper;
  __shared__ Shared<T, kTile, kTile + 1> lower;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kTile, col0 = blockIdx.x % tiles_per_row * kTile;
  if (row0 > col0) return;
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
#pragma unroll
  for (int i = y; i < kTile; i += kRowsPerBlock) {
    if (row0 + i < n && col0 + x < n) upper[i][x] = matrix[(row0 + i) * ld + col0 + x];
    if (col0 + i < n && row0 + x < n) lower[i][x] = matrix[(col0 + i) * ld + row0 + x];
  }
  __syncthreads();
#pragma unroll
  for (int i = y; i < kTile; i += kRowsPerBlock) {
    if (row0 + i < n && col0 + x < n) matrix[(row0 + i) * ld + col0 + x] = lower[x][i];
    if (col0 + i < n && row0 + x < n) matrix[(col0 + i) * ld + row0 + x] = upper[x][i];
  }
}

template <class C>
void in_place(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles = ceil_div(a.rows, kTile);
  launch(ctx, tiles * tiles, kThreads, 0, swap_tiles<typename C::T>, a.out, a.rows, a.ld_out, tiles);
}

REGISTER(
    Transpose, in_place, .note = "a tile and its mirror image change places",
    .refuses = [](const Transpose::Shape& shape, CaseId) -> std::string {
      return shape.in_place ? "" : "works in place only";
    })

}  // namespace
}  // namespace tandem
