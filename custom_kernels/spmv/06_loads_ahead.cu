// Idea:    lanes of a row with four elements each on their way before the first is used, read past the cache.
// New:     against warp_per_row, a quarter of the lanes for a row, but eight at least, so up to four rows for one in flight; of
//          long rows four requests of a warp at a time. They begin where sectors do.
// Expect:  the bandwidth of the memory for rows of tens to thousands of elements that are much alike.
// Limits:  a warp takes as long as its longest row.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (vector CSR).

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "lib/ops/spmv/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kLogSector = 3, kSector = 1 << kLogSector;  // column numbers of 32 bits in 32 bytes
constexpr int kAhead = 4;                                 // elements of a lane on their way
constexpr int kBlocks = 5;                                // of a multiprocessor, at least

template <class C, int kElements, int kMultiple>
__global__ void __launch_bounds__(kThreads, kMultiple) loads_ahead_lanes(typename C::Args a, int log_lanes) {
  using T = typename C::T;
  start_early();
  const std::int64_t r = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) >> log_lanes;
  const int lanes = 1 << log_lanes, lane = int(threadIdx.x) & (lanes - 1);
  T sums[kElements] = {};
  if (r < a.rows.count) {
    const std::int64_t begin = a.rows.begin(r), end = a.rows.end(r);
    const int shift = int(begin % kSector);
    for (std::int64_t k = begin - shift; k < end; k += kElements * lanes) {
      // Lanes that have none of the row's elements here read one that another has, so that loads wait for no comparison.
      const int from = k < begin ? shift : 0, to = int(min(end - k, std::int64_t(kElements * lanes)));
      const auto mine = [&](int e) { return e * lanes + lane; };
      const auto near = [&](int e) { return min(max(mine(e), from), to - 1); };
      typename C::ColumnNumber columns[kElements];
      T values[kElements];
#pragma unroll
      for (int e = 0; e < kElements; ++e) columns[e] = load_once(a.columns + k + near(e));
#pragma unroll
      for (int e = 0; e < kElements; ++e) values[e] = load_once(a.values + k + near(e));
#pragma unroll
      for (int e = 0; e < kElements; ++e) values[e] *= a.x[columns[e]];
#pragma unroll
      for (int e = 0; e < kElements; ++e) sums[e] += mine(e) >= from && mine(e) < to ? values[e] : T(0);
    }
  }
  const T sum = reduce_lanes<Plus>(reduce_registers<Plus>(sums), lanes);
  if (lane == 0 && r < a.rows.count) a.store(r, sum);
}

template <class C, int kElements = kAhead, int kMultiple = kBlocks>
void loads_ahead(const typename C::Args& given, Context& ctx) {
  const std::int64_t average = ceil_div(given.elements, given.rows.count);
  int log_lanes = kLogSector;
  while ((kElements << log_lanes) < average && 1 << log_lanes < kWarp) ++log_lanes;
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch_early(ctx, ceil_div(a.rows.count, kThreads >> log_lanes), kThreads, 0,
                 loads_ahead_lanes<K, kElements, kMultiple>, a, log_lanes);
  });
}

REGISTER(
    Spmv, loads_ahead, .note = "8 to 32 lanes read a row, each with four elements on their way",
    .suits = [](const Spmv::Shape& s) { return s.variant() == 0 && s.average() >= 24; })

}  // namespace
}  // namespace tandem
