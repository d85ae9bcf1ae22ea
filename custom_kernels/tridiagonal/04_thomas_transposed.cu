// Idea:    contiguous systems are transposed into interleaved ones, solved like those, and transposed back.
// New:     against naive, every access of Thomas coalesces, and a thread asks for eight rows before it waits for the
//          first; in return, five passes of copying.
// Expect:  19 words per unknown, all at the bandwidth of a copy, against 9 at a fraction of it.
// Limits:  for systems whose rows are neighbours in memory; four arrays of scratch.
// Source:  Ruetsch, Micikevicius 2009, "Optimizing matrix transpose in CUDA", for the passes.

#include "custom_kernels/common/kernel.cuh"
#include "custom_kernels/common/thomas.h"

namespace tandem {
namespace {

constexpr int kThreads = 128;  // of Thomas
constexpr int kAhead = 8;      // rows
constexpr int kSide = 32;      // of a tile
constexpr int kTileThreads = 256;

/// out[j · ld_out + i] = in[start of i + j] for rows i < rows and j < cols; start gives the place of a row.
template <class T, class RowIn, class RowOut>
__device__ void transpose_tile(const T* in, RowIn row_in, std::int64_t rows, std::int64_t cols, T* out,
                               RowOut row_out) {
  __shared__ Tile<T, kSide, kSide + 1> tile;
  const std::int64_t tiles_per_row = ceil_div(cols, kSide);
  const std::int64_t row0 = blockIdx.x / tiles_per_row * kSide, col0 = blockIdx.x % tiles_per_row * kSide;
  const int x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  for (int i = y; i < kSide; i += kTileThreads / kSide) {
    if (row0 + i < rows && col0 + x < cols) tile[i][x] = in[row_in(row0 + i) + col0 + x];
  }
  __syncthreads();
  for (int i = y; i < kSide; i += kTileThreads / kSide) {
    if (col0 + i < cols && row0 + x < rows) out[row_out(col0 + i) + row0 + x] = tile[x][i];
  }
}

/// Systems of n rows in one piece each, to rows of `count` systems.
template <class C>
__global__ void interleave(typename C::Args a, Tridiagonal::Strides strides, const typename C::T* in,
                           typename C::T* out) {
  transpose_tile(
      in, [&](std::int64_t system) { return a.start(strides, system); }, a.count, a.n, out,
      [&](std::int64_t row) { return row * a.count; });
}
/// And back.
template <class C>
__global__ void separate(typename C::Args a, const typename C::T* in) {
  transpose_tile(
      in, [&](std::int64_t row) { return row * a.count; }, a.n, a.count, a.x,
      [&](std::int64_t system) { return a.start(a.vector, system); });
}

template <class C>
__global__ void thomas_transposed_systems(typename C::Args a, typename C::T* above) {
  const std::int64_t system = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (system < a.count) thomas<kAhead>(a, system, above + system, a.count);
}

template <class C>
void thomas_transposed(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const auto interleaved_copy = [&](const T* in, const Tridiagonal::Strides& strides) {
    T* out = ctx.scratch<T>(a.n * a.count);
    launch(ctx, ceil_div(a.count, kSide) * ceil_div(a.n, kSide), kTileThreads, 0, interleave<C>, a, strides,
           in, out);
    return out;
  };
  const Tridiagonal::Strides rows{a.count, 1, a.count * a.n};
  T* x = interleaved_copy(a.rhs, a.vector);
  T* above = ctx.scratch<T>(a.n * a.count);
  typename C::Args inner = a;
  inner.lower = interleaved_copy(a.lower, a.matrix);
  inner.diag = interleaved_copy(a.diag, a.matrix);
  inner.upper = interleaved_copy(a.upper, a.matrix);
  inner.rhs = inner.x = x;
  inner.inner = a.count;
  inner.matrix = inner.vector = rows;
  launch(ctx, ceil_div(a.count, kThreads), kThreads, 0, thomas_transposed_systems<C>, inner, above);
  launch(ctx, ceil_div(a.n, kSide) * ceil_div(a.count, kSide), kTileThreads, 0, separate<C>, a,
         static_cast<const T*>(x));
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId id) {
  if (shape.systems.row != 1 && shape.systems.n > 1) return "for systems in one piece only";
  return Tridiagonal::refuse_pivot(shape, id);
}

REGISTER(Tridiagonal, thomas_transposed, .note = "transposed, one thread per system, transposed back",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
