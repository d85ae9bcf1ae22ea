// Idea:    a block of 256 threads takes a tile of 32 × 32 elements; each thread moves four of them, one by
//          one.
// Expect:  the lanes of a warp read 32 neighbours, one or two cache lines, but write to 32 rows, a sector of
//          32 bytes for each element: for floats the writes move eight times as much as they should, unless
//          the cache joins them.
// Limits:  the stride of the writes; large powers of two are worst, because all lanes meet in few cache sets.
// Source:  Ruetsch, Micikevicius 2009, "Optimizing matrix transpose in CUDA": transposeNaive.

#include "tandem/device/launch.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kSide = 32;  // of a tile
constexpr int kStep = kThreads / kSide;

template <class T>
__global__ void naive_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                           std::int64_t ld_out, std::int64_t tiles_per_row) {
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  for (int i = y; i < kSide; i += kStep) {
    const std::int64_t row = row0 + i, col = col0 + x;
    if (row < rows && col < cols) out[col * ld_out + row] = in[row * ld_in + col];
  }
}

template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide);
  launch(ctx, ceil_div(a.rows, kSide) * tiles_per_row, kThreads, 0, naive_tile<typename C::T>, a.in, a.rows,
         a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, naive, .note = "one element at a time: reads coalesced, writes not",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
