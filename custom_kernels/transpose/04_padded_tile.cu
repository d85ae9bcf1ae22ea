// Idea:    the rows of the tile in shared memory are one element longer than they need to be.
// New:     against shared_tile, neighbours of a column are 33 words apart and so lie in neighbouring banks:
//          no two lanes meet.
// Expect:  each shared access is served at once; what is left is the number of instructions, since every
//          thread moves 4 bytes at a time.
// Limits:  4-byte accesses; padding breaks the alignment that wider ones need.
// Source:  Ruetsch, Micikevicius 2009, "Optimizing matrix transpose in CUDA": transposeNoBankConflicts.

#include "tandem/device/launch.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kSide = 32;  // of a tile
constexpr int kStep = kThreads / kSide;
constexpr int kPitch = kSide + 1;  // elements between rows of the tile

template <class T>
__global__ void padded_tile_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                                 T* out, std::int64_t ld_out, std::int64_t tiles_per_row) {
  __shared__ Shared<T, kSide * kPitch> tile;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
#pragma unroll
  for (int i = y; i < kSide; i += kStep) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) tile[i * kPitch + x] = in[row * ld_in + col];
  }
  __syncthreads();
#pragma unroll
  for (int j = y; j < kSide; j += kStep) {
    const std::int64_t row = row0 + x, col = col0 + j;
    if (row < rows && col < cols) out[col * ld_out + row] = tile[x * kPitch + j];
  }
}

template <class C>
void padded_tile(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide);
  launch(ctx, ceil_div(a.rows, kSide) * tiles_per_row, kThreads, 0, padded_tile_tile<typename C::T>, a.in,
         a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, padded_tile,
         .note = "through a tile whose rows are one element longer: no bank conflicts",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
