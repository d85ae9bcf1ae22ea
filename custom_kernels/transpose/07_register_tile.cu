// Idea:    a thread takes a square of as many rows as a pack has elements, and transposes it in its own
//          registers: 16-byte packs come in, 16-byte packs go through shared memory, 16-byte packs go out.
// New:     against swizzled, shared memory is read by packs too: for floats 4 instructions instead of 16; and
//          each thread has all its loads in flight before it waits. The grid starts early (launch_early).
// Expect:  the bandwidth of a copy for large matrices; for small ones the latency of one launch, a
//          load, a barrier and a store.
// Limits:  packs need lines that are 16-byte aligned; others are left to the kernel of wide_tile.
// Source:  Eklundh 1972, "A fast computer method for matrix transposing", for
//          transposing by blocks of blocks.

#include "custom_kernels/transpose/detail/wide_tile.cuh"
#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

template <class T>
constexpr int kPacks = sizeof(T) == 1 ? 8
                                      : 16;  // packs per row of a tile, which is to fit into shared memory
template <class T>
constexpr int kThreads = kPacks<T>* kPacks<T>;
template <class T>
constexpr int kTile = kPacks<T>* Pack<T>::kSize;  // rows and columns of a tile

/// A tile has kPacks × kPacks squares, one for each thread. In shared memory, which holds the tile
/// transposed, pack r of the rows of square c is stored as pack r XOR c (XOR swizzle): 8 threads, as many as
/// one pass serves, cause no bank conflict, neither when they write nor when they read. Lines are aligned to
/// packs.
template <class T>
__global__ void __launch_bounds__(kThreads<T>)
    transpose_register_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                            std::int64_t ld_out, std::int64_t tiles_per_row) {
  constexpr int kSize = Pack<T>::kSize;
  start_early();
  __shared__ Shared<Pack<T>, kTile<T> * kPacks<T>> tile;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kTile<T>,
                     col0 = blockIdx.x % tiles_per_row * kTile<T>;
  const int r = threadIdx.x / kPacks<T>, c = threadIdx.x % kPacks<T>;

  Pack<T> square[kSize];
#pragma unroll
  for (int e = 0; e < kSize; ++e) {
    const std::int64_t row = row0 + r * kSize + e;
    if (row < rows) square[e] = load_pack(in + row * ld_in, col0 + c * kSize, cols, true);
  }
#pragma unroll
  for (int j = 0; j < kSize; ++j) {
    Pack<T> column;
#pragma unroll
    for (int e = 0; e < kSize; ++e) column.values[e] = square[e].values[j];
    tile[(c * kSize + j) * kPacks<T> + (r ^ c)] = column;
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kSize; ++e) {
    const int j = e * kPacks<T> + r;  // row of the output: the same for kPacks neighbouring threads
    const std::int64_t col = col0 + j;
    if (col < cols)
      store_pack(out + col * ld_out, row0 + c * kSize, rows, true, tile[j * kPacks<T> + (c ^ (j / kSize))]);
  }
}

template <class C>
void register_tile(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  if (!lines_aligned(a.in, a.ld_in) || !lines_aligned(a.out, a.ld_out))
    return transpose_by_wide_tiles<C>(a, ctx);
  const std::int64_t tiles_per_row = ceil_div(a.cols, kTile<T>);
  launch_early(ctx, ceil_div(a.rows, kTile<T>) * tiles_per_row, kThreads<T>, 0, transpose_register_tile<T>,
               a.in, a.rows, a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row);
}

REGISTER(Transpose, register_tile, .note = "squares transposed in registers, 16-byte accesses everywhere",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
