// Wrong:   the parts of a row are added up before all warps have stored theirs.
// Caught:  threads run one after another, and the schedule reverses or shuffles their order.

#include "lib/ops/spmv_sell/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kRows = 32, kParts = 2;

template <class C>
__global__ void missing_barrier_rows(typename C::Args a) {
  using T = typename C::T;
  __shared__ Shared<T, kParts * kRows> sums;
  const int row = int(threadIdx.x) % kRows, part = int(threadIdx.x) / kRows;
  const std::int64_t p = std::int64_t(blockIdx.x) * kRows + row;
  T sum = 0;
  for (std::int64_t j = part; p < a.rows && j < a.length(p); j += kParts)
    sum += a.product(a.first(p) + j * a.slice_rows);
  sums[int(threadIdx.x)] = sum;
  if (part == 0 && p < a.rows) a.store(p, sum + sums[kRows + row]);
}

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kRows), kRows * kParts, 0, missing_barrier_rows<C>, a);
}

REGISTER(SpmvSell, missing_barrier, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
