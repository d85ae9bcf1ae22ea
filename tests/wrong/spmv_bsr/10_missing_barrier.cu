// Wrong:   the lanes of a row are added up before all of them have stored their sums.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include "lib/ops/spmv_bsr/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void missing_barrier_lanes(typename C::Args a) {
  using T = typename C::T;
  __shared__ Shared<T, kWarp> sums;
  const int lane = int(threadIdx.x), width = int(a.block_cols), size = width * int(a.block_rows);
  T sum = 0;
  for (std::int64_t k = a.begin(blockIdx.x); lane < size && k < a.end(blockIdx.x); ++k)
    sum += a.product(k, lane / width, lane % width);
  sums[lane] = sum;
  const std::int64_t row = blockIdx.x * a.block_rows + lane;
  if (lane >= a.block_rows || row >= a.rows) return;
  T total = 0;
  for (int column = 0; column < width; ++column) total += sums[lane * width + column];
  a.store(row, total);
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, a.rows_of_blocks(), kWarp, 0, missing_barrier_lanes<C>, a);
}

REGISTER(
    SpmvBsr, missing_barrier, .note = "wrong on purpose",
    .refuses = [](const SpmvBsr::Shape& s, CaseId) -> std::string {
      return s.rows > 0 && s.block_rows * s.block_cols > kWarp ? "blocks of up to 32 elements only" : "";
    })

}  // namespace
}  // namespace tandem
