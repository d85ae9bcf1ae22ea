// Idea:    a thread for each element of C; neighbouring threads have neighbouring rows, as in spmv/thread_per_row.
// New:     against simd, thousands of sums at once; any layout of B and C.
// Expect:  lanes of a warp read elements of A a row apart, and lines of B that have nothing to do with each other: up to 32
//          lines for each load of a warp. A warp takes as long as its longest row.
// Limits:  one long row keeps a warp for each column busy while all others are done.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (scalar CSR).

#include "lib/ops/spmm/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void thread_per_element_loop(typename C::Args a) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t r = i % a.rows.count, j = i / a.rows.count;
  if (j >= a.width) return;
  typename C::T sum = 0;
  for (std::int64_t k = a.rows.begin(r), end = a.rows.end(r); k < end; ++k) sum += a.product(k, j);
  a.store(r, j, sum);
}

template <class C>
void thread_per_element(const typename C::Args& given, Context& ctx) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch(ctx, ceil_div(a.rows.count * a.width, kThreads), kThreads, 0, thread_per_element_loop<K>, a);
  });
}

REGISTER(Spmm, thread_per_element, .note = "a thread for each element of C, neighbours a row apart",
         .suits = Spmm::suits_walks)

}  // namespace
}  // namespace tandem
