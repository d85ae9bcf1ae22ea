// Idea:    a thread reads what a block has of its row as one vector, and x as another. Neighbouring lanes, from 1 to 32 of them, take the
//          blocks of a row in turn and add up what they have.
// New:     against thread_per_row, one load for up to four elements, blocks ahead of the one that is added, and as many lanes for a row
//          as fill half of a GPU. Against lanes_of_blocks no lane waits for the shape of a block, and short rows have no warp of their own.
// Expect:  the bandwidth of the memory where x stays in the cache, for few rows, too: the lanes of all rows of a block read all of it.
// Limits:  blocks of up to eight columns. Vectors want blocks of 2, 4 or 8 columns, values and x that begin where vectors may, and no
//          column beyond the edge; elsewhere they are read element by element.

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "lib/ops/spmv/quotient.h"
#include "lib/ops/spmv_bsr/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256, kMostWidth = 8;

/// What a block has of a row, or of x.
template <class T, int kWidth, bool kVector>
struct alignas(kVector ? std::min<std::size_t>(16, kWidth * sizeof(T)) : sizeof(T)) BlockRow {
  T values[kWidth];
};

template <class C, int kWidth, bool kVector>
__global__ void __launch_bounds__(kThreads) bsr_row_vectors(typename C::Args a, int lanes) {
  using T = typename C::T;
  using Row = BlockRow<T, kWidth, kVector>;
  constexpr int kAhead = kWidth <= 2 ? 4 : kWidth <= 4 ? 2 : 1;
  const std::int64_t row = quotient(std::int64_t(blockIdx.x) * kThreads + threadIdx.x, lanes);
  const int lane = int(threadIdx.x) % lanes;
  T sum = 0;
  if (row < a.rows) {
    const std::int64_t i = quotient(row, a.block_rows), r = row - i * a.block_rows, end = a.end(i);
    for (std::int64_t k = a.begin(i) + lane; k < end; k += kAhead * lanes) {
      std::int64_t columns[kAhead];  // where the blocks begin; -1: none
      Row values[kAhead], x[kAhead];
#pragma unroll
      for (int q = 0; q < kAhead; ++q)
        columns[q] = k + q * lanes < end ? std::int64_t(a.columns[k + q * lanes]) * kWidth : -1;
#pragma unroll
      for (int q = 0; q < kAhead; ++q) {
        if (columns[q] < 0) continue;
        values[q] = *reinterpret_cast<const Row*>(a.values + ((k + q * lanes) * a.block_rows + r) * kWidth);
        if constexpr (kVector) {
          x[q] = *reinterpret_cast<const Row*>(a.x + columns[q]);
        } else {
#pragma unroll
          for (int c = 0; c < kWidth; ++c)
            x[q].values[c] = columns[q] + c < a.cols ? a.x[columns[q] + c] : T(0);
        }
      }
#pragma unroll
      for (int q = 0; q < kAhead; ++q) {
#pragma unroll
        for (int c = 0; c < kWidth; ++c) {
          if (columns[q] >= 0 && (kVector || columns[q] + c < a.cols))
            sum += values[q].values[c] * x[q].values[c];
        }
      }
    }
  }
  sum = reduce_lanes<Plus>(sum, lanes);
  if (lane == 0 && row < a.rows) a.store(row, sum);
}

/// Lanes of a row: as many as fill half of the GPU, or leave each some 64 blocks, and never less than two.
template <class Args>
int lanes_of_row(const Args& a, Context& ctx) {
  constexpr std::int64_t kEnough = 1024;  // threads of a multiprocessor
  const std::int64_t blocks = ceil_div(a.blocks, std::max<std::int64_t>(1, a.rows_of_blocks()));
  int lanes = 1;
  while (lanes < kWarp && 4 * lanes <= blocks &&
         (a.rows * lanes < kEnough * ctx.multiprocessors() || blocks > 64 * lanes))
    lanes *= 2;
  return lanes;
}

template <class C, int kWidth, bool kVector>
void launch_row_vectors(const typename C::Args& a, Context& ctx) {
  const int lanes = lanes_of_row(a, ctx);
  launch(ctx, ceil_div(a.rows, kThreads / lanes), kThreads, 0, bsr_row_vectors<C, kWidth, kVector>, a, lanes);
}

template <class C, int kWidth = 1>
void row_vectors(const typename C::Args& a, Context& ctx) {
  using Row = BlockRow<typename C::T, kWidth, true>;
  if constexpr (kWidth < kMostWidth) {
    if (a.block_cols > kWidth) return row_vectors<C, kWidth + 1>(a, ctx);
  }
  if constexpr (kWidth == 2 || kWidth == 4 || kWidth == 8) {
    const auto begins = reinterpret_cast<std::uintptr_t>(a.values) | reinterpret_cast<std::uintptr_t>(a.x);
    if (a.cols % kWidth == 0 && begins % alignof(Row) == 0)
      return launch_row_vectors<C, kWidth, true>(a, ctx);
  }
  launch_row_vectors<C, kWidth, false>(a, ctx);
}

std::string refuses(const SpmvBsr::Shape& s, CaseId) {
  return s.rows == 0 || s.block_cols <= kMostWidth ? "" : "takes blocks of up to 8 columns";
}

REGISTER(SpmvBsr, row_vectors, .note = "a row of a block as a vector, blocks ahead", .refuses = refuses)

}  // namespace
}  // namespace tandem
