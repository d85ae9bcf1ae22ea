// Idea:    a thread for each row.
// New:     against threads, thousands of loops run at once; nothing else changes.
// Expect:  neighbouring threads read elements a row apart, so each load of a warp touches up to 32 lines, of which the caches
//          must keep what later loads want. A warp takes as long as its longest row.
// Limits:  few rows leave most of a GPU idle, and one long one all but one thread.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (scalar CSR).

#include "lib/ops/spmv/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kLongest = 1 << 20;  // longer ones take seconds

template <class C>
__global__ void thread_per_row_loop(typename C::Args a) {
  const std::int64_t r = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (r >= a.rows.count) return;
  typename C::T sum = 0;
  for (std::int64_t k = a.rows.begin(r), end = a.rows.end(r); k < end; ++k) sum += a.product(k);
  a.store(r, sum);
}

template <class C>
void thread_per_row(const typename C::Args& given, Context& ctx) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch(ctx, ceil_div(a.rows.count, kThreads), kThreads, 0, thread_per_row_loop<K>, a);
  });
}

REGISTER(
    Spmv, thread_per_row, .note = "a thread reads a row",
    .suits = [](const Spmv::Shape& s) { return s.average() <= kLongest; })

}  // namespace
}  // namespace tandem
