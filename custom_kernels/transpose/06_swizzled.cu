// Idea:    global memory is read and written 16 bytes at a time. In shared memory an XOR swizzle replaces the
//          padding: pack c (16 bytes) of row r is stored as pack c XOR (r / elements per pack), which keeps
//          packs whole and aligned.
// New:     against wide_tile, a quarter of the load and store instructions (for floats).
// Expect:  close to the bandwidth of a copy. Packs are stored whole; a pack of the output is gathered
//          element by element from as many rows, without bank conflicts: a warp reads 8 packs of rows
//          times 4 columns (floats).
// Limits:  rows that are not 16-byte aligned are moved by elements.
// Source:  the XOR swizzle as in NVIDIA's CUTLASS, "layout/tensor_op_multiplicand".

#include "lib/ops/transpose/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
template <class T>
constexpr int kPacks = sizeof(T) == 1 ? 8
                                      : 16;  // packs per row of a tile, which is to fit into shared memory
template <class T>
constexpr int kTile = kPacks<T>* Pack<T>::kSize;  // rows and columns of a tile

/// Index of a pack of the tile in shared memory.
template <class T>
__device__ int swizzle(int row, int pack) {
  return row * kPacks<T> + (pack ^ (row / Pack<T>::kSize % kPacks<T>));
}

template <class T>
__global__ void transpose_swizzled(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                                   T* out, std::int64_t ld_out, std::int64_t tiles_per_row, bool aligned) {
  constexpr int kSize = Pack<T>::kSize;
  __shared__ Shared<Pack<T>, kTile<T> * kPacks<T>> tile;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kTile<T>,
                     col0 = blockIdx.x % tiles_per_row * kTile<T>;
#pragma unroll
  for (int t = threadIdx.x; t < kTile<T> * kPacks<T>; t += kThreads) {
    const int i = t / kPacks<T>, pack = t % kPacks<T>;
    const std::int64_t row = row0 + i, col = col0 + pack * kSize;
    tile[swizzle<T>(i, pack)] = row < rows ? load_pack(in + row * ld_in, col, cols, aligned) : Pack<T>{};
  }
  __syncthreads();
#pragma unroll
  for (int t = threadIdx.x; t < kTile<T> * kPacks<T>; t += kThreads) {
    // A warp writes 8 neighbouring packs in each of 4 neighbouring rows of the output.
    const int pack = t % 8 + t / (8 * kTile<T>)*8, j = t / 8 % kTile<T>;
    const std::int64_t row = row0 + pack * kSize, col = col0 + j;
    if (row >= rows || col >= cols) continue;
    Pack<T> gathered;
#pragma unroll
    for (int e = 0; e < kSize; ++e)
      gathered.values[e] = tile[swizzle<T>(pack * kSize + e, j / kSize)].values[j % kSize];
    store_pack(out + col * ld_out, row, rows, aligned, gathered);
  }
}

template <class C>
void swizzled(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles_per_row = ceil_div(a.cols, kTile<T>);
  const bool aligned = lines_aligned(a.in, a.ld_in) && lines_aligned(a.out, a.ld_out);
  launch(ctx, ceil_div(a.rows, kTile<T>) * tiles_per_row, kThreads, 0, transpose_swizzled<T>, a.in, a.rows,
         a.cols, a.ld_in, a.out, a.ld_out, tiles_per_row, aligned);
}

REGISTER(Transpose, swizzled, .note = "16-byte accesses, XOR swizzle instead of padding",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
