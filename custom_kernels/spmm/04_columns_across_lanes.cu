// Idea:    lanes of a warp have neighbouring columns of one row of C: 32 of them, or of fewer columns several rows.
// New:     against thread_per_element, neighbours are neighbours in a row of B and of C, so that a request of a warp is whole
//          lines; what the lanes read of A is one element, for all of them.
// Expect:  the bandwidth of the cache that holds B. A is read again for each 32 columns, from a cache.
// Limits:  B and C must be row-major. A warp takes as long as its longest row; one long row keeps a warp for each 32 columns
//          busy while all others are done.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (vector CSR, turned).

#include "custom_kernels/spmm/detail/columns.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void __launch_bounds__(kColumnThreads)
    columns_across_lanes_loop(typename C::Args a, ColumnLanes lanes) {
  using T = typename C::T;
  const std::int64_t r = lanes.item(), j = lanes.column();
  if (r >= a.rows.count || j >= a.width) return;
  const T* const b = a.b.data + j;
  T sum = 0;
  for (std::int64_t k = a.rows.begin(r), end = a.rows.end(r); k < end; ++k)
    sum += a.values[k] * b[a.columns[k] * a.b.row];
  a.store(r, j, sum);
}

template <class C>
void columns_across_lanes(const typename C::Args& given, Context& ctx) {
  const ColumnLanes lanes(given.width);
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch(ctx, lanes.grid(a.rows.count), kColumnThreads, 0, columns_across_lanes_loop<K>, a, lanes);
  });
}

REGISTER(Spmm, columns_across_lanes, .note = "a warp for each row, its lanes have neighbouring columns",
         .refuses = Spmm::refuse_columns, .suits = Spmm::suits_walks)

}  // namespace
}  // namespace tandem
