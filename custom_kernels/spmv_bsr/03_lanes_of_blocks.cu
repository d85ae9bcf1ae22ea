// Idea:    a warp for each row of blocks. Its lanes take the elements in the order of memory: one lane for each element of a block, and as many
//          blocks at once as lanes suffice for. So a lane stays at one place of the blocks, adds up what it meets there, and the lanes of
//          a row are added up once, at the end.
// New:     against thread_per_row, neighbouring lanes read neighbouring values, and x by the width of a block.
// Expect:  the bandwidth of the memory where x stays in the cache and rows of blocks have some blocks.
// Limits:  blocks of up to 32 elements; of 5 x 5 seven lanes have nothing to do. A warp takes as long as its row of blocks.
// Source:  Eberhardt, Hoemmen 2016, "Optimization of block sparse matrix-vector multiplication on shared-memory parallel
//          architectures".

#include "lib/ops/spmv_bsr/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kWarps = 4;

template <class C>
__global__ void __launch_bounds__(kWarps* kWarp) bsr_lanes_of_blocks(typename C::Args a) {
  using T = typename C::T;
  __shared__ Shared<T, kWarps * kWarp> sums;
  const int lane = int(threadIdx.x) % kWarp, warp = int(threadIdx.x) / kWarp;
  const int width = int(a.block_cols), height = int(a.block_rows), size = width * height,
            at_once = kWarp / size;
  const int place = lane % size, r = place / width, c = place % width;
  const std::int64_t i = std::int64_t(blockIdx.x) * kWarps + warp;
  T sum = 0;
  if (i < a.rows_of_blocks() && lane < at_once * size) {
    for (std::int64_t k = a.begin(i) + lane / size, end = a.end(i); k < end; k += at_once)
      sum += a.product(k, r, c);
  }
  sums[int(threadIdx.x)] = sum;
  __syncwarp();
  const std::int64_t row = i * height + lane;
  if (lane >= height || i >= a.rows_of_blocks() || row >= a.rows) return;
  T total = 0;
  for (int block = 0; block < at_once; ++block) {
    for (int column = 0; column < width; ++column)
      total += sums[warp * kWarp + block * size + lane * width + column];
  }
  a.store(row, total);
}

template <class C>
void lanes_of_blocks(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows_of_blocks(), kWarps), kWarps * kWarp, 0, bsr_lanes_of_blocks<C>, a);
}

std::string refuses(const SpmvBsr::Shape& s, CaseId) {
  return s.rows == 0 || s.block_rows * s.block_cols <= kWarp ? "" : "takes blocks of up to 32 elements";
}

REGISTER(SpmvBsr, lanes_of_blocks, .note = "a lane for each place of a block", .refuses = refuses)

}  // namespace
}  // namespace tandem
