// Idea:    a warp for each row, whose elements of all blocks its lanes take in turn.
// New:     against lanes_of_blocks, blocks of any size; the row of a block is whole lines where it is long.
// Expect:  the bandwidth of the memory for blocks of tens of columns; for narrow ones, pieces of a block's width.
// Limits:  column numbers and x are read once for each row of a block, by the cache if it has them still. Each element costs a division.

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "lib/ops/spmv_bsr/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void __launch_bounds__(kThreads) bsr_warp_per_row(typename C::Args a) {
  const std::int64_t row = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
  const int lane = int(threadIdx.x) % kWarp;
  const std::int64_t i = row / a.block_rows, r = row % a.block_rows;
  typename C::T sum = 0;
  if (row < a.rows) {
    const std::int64_t begin = a.begin(i), count = (a.end(i) - begin) * a.block_cols;
    for (std::int64_t e = lane; e < count; e += kWarp)
      sum += a.product(begin + e / a.block_cols, r, e % a.block_cols);
  }
  sum = reduce_lanes<Plus>(sum, kWarp);
  if (lane == 0 && row < a.rows) a.store(row, sum);
}

template <class C>
void warp_per_row(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kThreads / kWarp), kThreads, 0, bsr_warp_per_row<C>, a);
}

REGISTER(SpmvBsr, warp_per_row, .note = "32 lanes read a row")

}  // namespace
}  // namespace tandem
