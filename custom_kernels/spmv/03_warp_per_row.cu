// Idea:    a warp for each row, or a part of one: as many neighbouring lanes as a row of average length has elements.
// New:     against thread_per_row, the lanes of a row read neighbouring values and column numbers, so that a request of a
//          warp is whole lines; shuffles add what lanes have.
// Expect:  the bandwidth of the memory for rows of tens of elements and more, where x stays in the cache.
// Limits:  a warp takes as long as its longest row. Many lanes of a short row have nothing to read.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (vector CSR).

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "lib/ops/spmv/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class C>
__global__ void __launch_bounds__(kThreads) warp_per_row_lanes(typename C::Args a, int lanes) {
  const std::int64_t r = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / lanes;
  const int lane = int(threadIdx.x) % lanes;
  typename C::T sum = 0;
  if (r < a.rows.count) {
    for (std::int64_t k = a.rows.begin(r) + lane, end = a.rows.end(r); k < end; k += lanes)
      sum += a.product(k);
  }
  sum = reduce_lanes<Plus>(sum, lanes);
  if (lane == 0 && r < a.rows.count) a.store(r, sum);
}

template <class C>
void warp_per_row(const typename C::Args& given, Context& ctx) {
  const std::int64_t average = ceil_div(given.elements, given.rows.count);
  int lanes = 1;
  while (lanes < average && lanes < kWarp) lanes *= 2;
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch(ctx, ceil_div(a.rows.count, kThreads / lanes), kThreads, 0, warp_per_row_lanes<K>, a, lanes);
  });
}

REGISTER(Spmv, warp_per_row, .note = "1 to 32 lanes read a row, by the average length")

}  // namespace
}  // namespace tandem
