// Idea:    a thread for each row of the matrix.
// New:     against threads, thousands of rows at once.
// Expect:  the threads of a row of blocks read the same column numbers and the same x, one request for all of them; but neighbouring
//          threads read values a block's row apart, and those of the next row of blocks lie elsewhere.
// Limits:  few rows leave most of a GPU idle, and one long row all but one thread.

#include "lib/ops/spmv_bsr/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kLongest = 1 << 20;  // longer ones take seconds

template <class C>
__global__ void bsr_thread_per_row(typename C::Args a) {
  const std::int64_t row = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (row >= a.rows) return;
  const std::int64_t i = row / a.block_rows, r = row % a.block_rows;
  typename C::T sum = 0;
  for (std::int64_t k = a.begin(i), end = a.end(i); k < end; ++k) {
    for (std::int64_t c = 0; c < a.block_cols; ++c) sum += a.product(k, r, c);
  }
  a.store(row, sum);
}

template <class C>
void thread_per_row(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kThreads), kThreads, 0, bsr_thread_per_row<C>, a);
}

REGISTER(
    SpmvBsr, thread_per_row, .note = "a thread reads a row",
    .suits = [](const SpmvBsr::Shape& s) { return s.average() <= kLongest; })

}  // namespace
}  // namespace tandem
