// Idea:    eight warps of a block take the same 32 rows, each every eighth element of them, and add up what they have in shared memory.
// New:     against loads_ahead, eight times as many threads for a matrix, and an eighth of the work for each.
// Expect:  for few long rows, several times as fast; for many short ones the additions at the end cost more than they bring.
// Limits:  32 rows at once, also where slices have fewer: requests are then broken apart as before.

#include "custom_kernels/spmv_sell/detail/elements.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kRows = 32, kParts = 8;

template <class C>
__global__ void __launch_bounds__(kRows* kParts) sell_shared_rows(typename C::Args a) {
  using T = typename C::T;
  __shared__ Shared<T, kParts * kRows> sums;
  const int row = int(threadIdx.x) % kRows, part = int(threadIdx.x) / kRows;
  const std::int64_t p = std::int64_t(blockIdx.x) * kRows + row;
  T sum = 0;
  if (p < a.rows) {
    const std::int64_t left = a.length(p) - part;  // elements of this part, and those between
    if (left > 0)
      add_row(a, a.first(p) + part * a.slice_rows, kParts * a.slice_rows, (left + kParts - 1) / kParts, sum);
  }
  sums[part * kRows + row] = sum;
  __syncthreads();
  if (part > 0 || p >= a.rows) return;
#pragma unroll
  for (int other = 1; other < kParts; ++other) sum += sums[other * kRows + row];
  a.store(p, sum);
}

template <class C>
void shared_rows(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kRows), kRows * kParts, 0, sell_shared_rows<C>, a);
}

REGISTER(
    SpmvSell, shared_rows, .note = "eight warps share 32 rows",
    .depth = [](std::int64_t n) { return static_cast<double>((n + kParts - 1) / kParts + kParts); })

}  // namespace
}  // namespace tandem
