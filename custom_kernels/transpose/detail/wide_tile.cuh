#pragma once
// Transposing by tiles of 4,096 elements, for lines of any alignment: step wide_tile, and register_tile where
// lines are not aligned to packs.

#include "tandem/device/launch.cuh"

namespace tandem {

constexpr int kWideThreads = 256;
constexpr int kWideRounds = 16;  // elements of a thread
constexpr int kThin = 16;        // matrices of up to so many rows or columns get tiles that thin

/// Tiles follow each other along the shorter side of the matrix: where a line of one tile ends within a
/// sector, the tile that has the rest comes while the L2 cache still has it, in the input and in the
/// output.
template <class T, int kHeight, int kWidth>
__global__ void __launch_bounds__(kWideThreads)
    transpose_wide_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                        std::int64_t ld_out) {
  static_assert(kHeight * kWidth == kWideThreads * kWideRounds);
  // The lanes that read one column of the tile, neighbours of which must lie so many bytes apart that these
  // lanes and those of the next columns together have all the banks.
  constexpr int kLanes = kHeight < 32 ? kHeight : 32;
  constexpr int kPadding = 128 / sizeof(T) / kLanes > 0 ? 128 / sizeof(T) / kLanes : 1;
  start_early();
  __shared__ Shared<T, kHeight, kWidth + kPadding> tile;
  const auto tiles_down = static_cast<unsigned>(ceil_div(rows, kHeight)),
             tiles_across = static_cast<unsigned>(ceil_div(cols, kWidth));
  const bool downwards = tiles_down <= tiles_across;
  const unsigned shorter = downwards ? tiles_down : tiles_across;
  const unsigned slow = blockIdx.x / shorter, fast = blockIdx.x % shorter;
  const std::int64_t row0 = std::int64_t(downwards ? fast : slow) * kHeight,
                     col0 = std::int64_t(downwards ? slow : fast) * kWidth;
  const int height = static_cast<int>(rows - row0 < kHeight ? rows - row0 : kHeight);
  const int width = static_cast<int>(cols - col0 < kWidth ? cols - col0 : kWidth);

  T held[kWideRounds];
  {
    constexpr int kStep = kWideThreads / kWidth;  // rows that a block moves at once
    const int i = threadIdx.x / kWidth, j = threadIdx.x % kWidth;
    const int below = j < width ? height - i : 0;  // rows from i on, where the matrix has column j
    const T* from = in + (row0 + i) * ld_in + col0 + j;
#pragma unroll
    for (int u = 0; u < kWideRounds; ++u, from += kStep * ld_in) {
      if (u * kStep < below) held[u] = *from;
    }
#pragma unroll
    for (int u = 0; u < kWideRounds; ++u) {
      if (u * kStep < below) tile[i + u * kStep][j] = held[u];
    }
  }
  __syncthreads();
  constexpr int kStep = kWideThreads / kHeight;  // columns
  const int i = threadIdx.x % kHeight, j = threadIdx.x / kHeight;
  const int beyond = i < height ? width - j : 0;  // columns from j on, where the matrix has row i
  T* to = out + (col0 + j) * ld_out + row0 + i;
#pragma unroll
  for (int u = 0; u < kWideRounds; ++u, to += kStep * ld_out) {
    if (u * kStep < beyond) *to = tile[i][j + u * kStep];
  }
}

template <class C, int kHeight, int kWidth>
void launch_wide_tile(const typename C::Args& a, Context& ctx) {
  launch_early(ctx, ceil_div(a.rows, kHeight) * ceil_div(a.cols, kWidth), kWideThreads, 0,
               transpose_wide_tile<typename C::T, kHeight, kWidth>, a.in, a.rows, a.cols, a.ld_in, a.out,
               a.ld_out);
}

template <class C>
void transpose_by_wide_tiles(const typename C::Args& a, Context& ctx) {
  if (a.rows <= kThin) return launch_wide_tile<C, kThin, 256>(a, ctx);
  if (a.cols <= kThin) return launch_wide_tile<C, 256, kThin>(a, ctx);
  launch_wide_tile<C, 64, 64>(a, ctx);
}

}  // namespace tandem
