// Idea:    a thread for each row.
// New:     against threads, thousands of rows at once. The loop is that of spmv's thread_per_row; what differs is where elements lie.
// Expect:  neighbouring threads read neighbouring elements, so each request of a warp is whole lines, which spmv's thread_per_row never has.
//          The bandwidth of the memory where x stays in the cache and rows suffice, less what padding takes.
// Limits:  a load waits for the one before it, so many warps must be there to hide that. Slices whose rows are no multiple of 32 break
//          requests apart. Few rows leave most of a GPU idle.
// Source:  Kreutzer and others 2014, "A unified sparse matrix data format for efficient general sparse matrix-vector multiplication on
//          modern processors with wide SIMD units".

#include "lib/ops/spmv_sell/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kLongest = 1 << 20;  // longer ones take seconds

template <class C>
__global__ void sell_thread_per_row(typename C::Args a) {
  const std::int64_t p = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (p >= a.rows) return;
  typename C::T sum = 0;
  std::int64_t k = a.first(p);
  for (std::int64_t j = a.length(p); j > 0; --j, k += a.slice_rows) sum += a.product(k);
  a.store(p, sum);
}

template <class C>
void thread_per_row(const typename C::Args& a, Context& ctx) {
  launch(ctx, ceil_div(a.rows, kThreads), kThreads, 0, sell_thread_per_row<C>, a);
}

REGISTER(
    SpmvSell, thread_per_row, .note = "a thread reads a row, a warp whole lines",
    .suits = [](const SpmvSell::Shape& s) { return s.average() <= kLongest; })

}  // namespace
}  // namespace tandem
