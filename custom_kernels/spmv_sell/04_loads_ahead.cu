// Idea:    a thread loads the column numbers and values of four elements, then the four elements of x, before it adds.
// New:     against thread_per_row, eight loads of a thread are on their way where two were, and x is waited for once in four elements.
// Expect:  the bandwidth of the memory from fewer warps on.
// Limits:  as thread_per_row; rows of fewer than four elements gain nothing.

#include "lib/ops/spmv_sell/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kAhead = 4;
constexpr std::int64_t kLongest = 1 << 20;  // longer ones take seconds

template <class C>
__global__ void sell_loads_ahead(typename C::Args a) {
  using T = typename C::T;
  const std::int64_t p = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= a.rows) return;
  T sum = 0;
  std::int64_t k = a.first(p), left = a.length(p);
  for (; left >= kAhead; left -= kAhead, k += kAhead * a.slice_rows) {
    std::int32_t columns[kAhead];
    T values[kAhead], factors[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) columns[i] = a.columns[k + i * a.slice_rows];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) values[i] = a.values[k + i * a.slice_rows];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) factors[i] = columns[i] < 0 ? T(0) : a.x[columns[i]];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      if (columns[i] >= 0) sum += values[i] * factors[i];
    }
  }
  for (; left > 0; --left, k += a.slice_rows) sum += a.product(k);
  a.store(p, sum);
}

template <class C>
void loads_ahead(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kThreads), kThreads, 0, sell_loads_ahead<C>, a);
}

REGISTER(
    SpmvSell, loads_ahead, .note = "four elements of a row on their way",
    .suits = [](const SpmvSell::Shape& s) { return s.average() <= kLongest; })

}  // namespace
}  // namespace tandem
