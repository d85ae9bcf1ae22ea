// Idea:    global memory is read and written 16 bytes at a time. In shared memory, the 16-byte pack c of row
//          r lies at place c XOR (r / elements of a pack), which needs no padding and keeps packs whole and
//          aligned.
// New:     against padded_tile, a quarter of the load and store instructions (for floats); a row of a tile is
//          256 bytes on either side.
// Expect:  close to the bandwidth of a copy. Packs go in whole; what comes out is gathered element by element
//          from as many rows, and the lanes of a warp then meet in no bank: 8 packs of rows times 4 columns
//          (floats).
// Limits:  lines that are not 16-byte aligned are moved by elements.
// Source:  the XOR swizzle as in NVIDIA's CUTLASS, "layout/tensor_op_multiplicand".

#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"
#include "lib/ops/transpose/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kPacks = 16;  // packs to a row of a tile
template <class T>
constexpr int kSide = kPacks* Pack<T>::kSize;

template <class T>
__device__ int place(int row, int pack) {
  return row * kPacks + (pack ^ (row / Pack<T>::kSize % kPacks));
}

template <class T>
__global__ void swizzled_tile(const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in, T* out,
                              std::int64_t ld_out, std::int64_t tiles_per_row, bool aligned) {
  constexpr int kSize = Pack<T>::kSize;
  __shared__ Shared<Pack<T>, kSide<T> * kPacks> tile;
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide<T>,
                     col0 = blockIdx.x % tiles_per_row * kSide<T>;
#pragma unroll
  for (int t = threadIdx.x; t < kSide<T> * kPacks; t += kThreads) {
    const int i = t / kPacks, pack = t % kPacks;
    const std::int64_t row = row0 + i, col = col0 + pack * kSize;
    tile[place<T>(i, pack)] = row < rows ? load_pack(in + row * ld_in, col, cols, aligned) : Pack<T>{};
  }
  __syncthreads();
#pragma unroll
  for (int t = threadIdx.x; t < kSide<T> * kPacks; t += kThreads) {
    // Lanes of a warp: 8 packs side by side in each of 4 neighbouring rows of the output.
    const int pack = t % 8 + t / (8 * kSide<T>)*8, j = t / 8 % kSide<T>;
    const std::int64_t row = row0 + pack * kSize, col = col0 + j;
    if (row >= rows || col >= cols) continue;
    Pack<T> gathered;
#pragma unroll
    for (int e = 0; e < kSize; ++e)
      gathered.values[e] = tile[place<T>(pack * kSize + e, j / kSize)].values[j % kSize];
    store_pack(out + col * ld_out, row, rows, aligned, gathered);
  }
}

template <class C>
void swizzled(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles_per_row = ceil_div(a.cols, kSide<T>);
  const bool aligned = lines_aligned(a.in, a.ld_in) && lines_aligned(a.out, a.ld_out);
  launch(ctx, ceil_div(a.rows, kSide<T>) * tiles_per_row, kThreads, 0, swizzled_tile<T>, a.in, a.rows, a.cols,
         a.ld_in, a.out, a.ld_out, tiles_per_row, aligned);
}

REGISTER(Transpose, swizzled, .note = "16-byte accesses, XOR swizzle instead of padding",
         .refuses = Transpose::refuse_in_place)

}  // namespace
}  // namespace tandem
