// Wrong:   the matrix is copied, not transposed.
// Caught:  every shape but symmetric ones.

#include "tandem/device/launch.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kSide = 32;  // of a tile
constexpr int kStep = kThreads / kSide;

template <class T>
__global__ void copied_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                            std::int64_t ld_out, std::int64_t tiles_per_row) {
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  for (int i = y; i < kSide; i += kStep) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < min(rows, cols) && col < min(rows, cols)) out[row * ld_out + col] = in[row * ld_in + col];
  }
}

template <class C>
void copied(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide);
  launch(ctx, ceil_div(a.rows, kSide) * tiles_per_row, kThreads, 0, copied_tile<typename C::T>, a.in, a.rows,
         a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, copied, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
