// Wrong:   the leading dimension of the output is taken for the length of its lines.
// Caught:  gaps between lines are part of what is compared.

#include "tandem/device/launch.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kSide = 32;  // of a tile
constexpr int kStep = kThreads / kSide;

template <class T>
__global__ void gap_overwritten_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                                     T* out, std::int64_t, std::int64_t tiles_per_row) {
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  for (int i = y; i < kSide; i += kStep) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) out[col * rows + row] = in[row * ld_in + col];
  }
}

template <class C>
void gap_overwritten(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide);
  launch(ctx, ceil_div(a.rows, kSide) * tiles_per_row, kThreads, 0, gap_overwritten_tile<typename C::T>, a.in,
         a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, gap_overwritten, .note = "wrong on purpose", .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
