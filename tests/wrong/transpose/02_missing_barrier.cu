// Wrong:   no barrier between writing the tile and reading it.
// Caught:  threads run one after another, in an order that the schedule turns round.

#include "tandem/device/launch.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kSide = 32;  // of a tile
constexpr int kStep = kThreads / kSide;
constexpr int kPitch = kSide + 1;  // elements between rows of the tile

template <class T>
__global__ void missing_barrier_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                                     T* out, std::int64_t ld_out, std::int64_t tiles_per_row) {
  __shared__ Shared<T, kSide * kPitch> tile;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
#pragma unroll
  for (int i = y; i < kSide; i += kStep) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) tile[i * kPitch + x] = in[row * ld_in + col];
  }
#pragma unroll
  for (int j = y; j < kSide; j += kStep) {
    const std::int64_t row = row0 + x, col = col0 + j;
    if (row < rows && col < cols) out[col * ld_out + row] = tile[x * kPitch + j];
  }
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide);
  launch(ctx, ceil_div(a.rows, kSide) * tiles_per_row, kThreads, 0, missing_barrier_tile<typename C::T>, a.in,
         a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, missing_barrier, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
