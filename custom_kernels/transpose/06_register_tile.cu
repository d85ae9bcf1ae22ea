// Idea:    a thread takes a square of as many rows as a pack has elements, and transposes it in its own
//          registers: 16-byte packs come in, 16-byte packs go through shared memory, 16-byte packs go out.
// New:     against swizzled, shared memory is read by packs too: for floats 4 instructions where there were
//          16; and each thread has all its loads in flight before it waits. The grid starts early (launch_early).
// Expect:  the bandwidth of a copy for large matrices; for small ones the latency of a load, a barrier and a
//          store behind one launch.
// Limits:  lines that are not 16-byte aligned are moved by elements.
// Source:  Eklundh 1972, "A fast computer method for matrix transposing", for transposing by blocks of
//          blocks.

#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kPacks = 16;  // packs to a row of a tile
constexpr int kThreads = kPacks * kPacks;
template <class T>
constexpr int kSide = kPacks* Pack<T>::kSize;

/// A tile has kPacks × kPacks squares, one for each thread. Square r of row c of the output lies at place r
/// XOR c, so that 8 neighbouring threads meet in no bank, neither when they write nor when they read.
template <class T>
__global__ void __launch_bounds__(kThreads)
    register_tile_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                       std::int64_t ld_out, std::int64_t tiles_per_row, bool aligned) {
  constexpr int kSize = Pack<T>::kSize;
  start_early();
  __shared__ Shared<Pack<T>, kSide<T> * kPacks> tile;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide<T>,
                     col0 = blockIdx.x % tiles_per_row * kSide<T>;
  const int r = threadIdx.x / kPacks, c = threadIdx.x % kPacks;

  Pack<T> square[kSize];
#pragma unroll
  for (int e = 0; e < kSize; ++e) {
    const std::int64_t row = row0 + r * kSize + e;
    if (row < rows) square[e] = load_pack(in + row * ld_in, col0 + c * kSize, cols, aligned);
  }
#pragma unroll
  for (int j = 0; j < kSize; ++j) {
    Pack<T> column;
#pragma unroll
    for (int e = 0; e < kSize; ++e) column.values[e] = square[e].values[j];
    tile[(c * kSize + j) * kPacks + (r ^ c)] = column;
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kSize; ++e) {
    const int j = e * kPacks + r;  // row of the output that this thread's neighbours share
    const std::int64_t col = col0 + j;
    if (col < cols)
      store_pack(out + col * ld_out, row0 + c * kSize, rows, aligned, tile[j * kPacks + (c ^ (j / kSize))]);
  }
}

template <class C>
void register_tile(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide<T>);
  const bool aligned = lines_aligned(a.in, a.ld_in) && lines_aligned(a.out, a.ld_out);
  launch_early(ctx, ceil_div(a.rows, kSide<T>) * tiles_per_row, kThreads, 0, register_tile_tile<T>, a.in,
               a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row, aligned);
}

REGISTER(Transpose, register_tile, .note = "squares transposed in registers, 16-byte accesses everywhere",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
