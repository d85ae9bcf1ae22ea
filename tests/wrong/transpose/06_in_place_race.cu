// Wrong:   in place without a second tile: what is overwritten has yet to be read.
// Caught:  in-place cases.

#include "tandem/device/launch.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kSide = 32;  // of a tile
constexpr int kStep = kThreads / kSide;

template <class T>
__global__ void in_place_race_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                                   T* out, std::int64_t ld_out, std::int64_t tiles_per_row) {
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  for (int i = y; i < kSide; i += kStep) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) out[col * ld_out + row] = in[row * ld_in + col];
  }
}

template <class C>
void in_place_race(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide);
  launch(ctx, ceil_div(a.rows, kSide) * tiles_per_row, kThreads, 0, in_place_race_tile<typename C::T>, a.in,
         a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, in_place_race, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
