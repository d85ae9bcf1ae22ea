// Idea:    lanes of a row with four elements each on their way before the first is used, read past the cache.
// New:     against warp_per_row, a quarter of the lanes for a row, so four rows for one in flight; of long rows four requests of
//          a warp at a time, which begin where sectors do.
// Expect:  the bandwidth of the memory for rows of tens to thousands of elements that are much alike.
// Limits:  a warp takes as long as its longest row.
// Source:  Bell, Garland 2008, "Efficient sparse matrix-vector multiplication on CUDA" (vector CSR).

#include "custom_kernels/segmented_reduce/detail/lanes.cuh"
#include "lib/ops/spmv/contract.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kAhead = 4;  // elements of a lane on their way

template <class C, int kElements>
__global__ void __launch_bounds__(kThreads) loads_ahead_lanes(typename C::Args a, int lanes) {
  using T = typename C::T;
  constexpr int kSector = 32 / sizeof(std::int32_t);
  const std::int64_t r = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / lanes;
  const int lane = int(threadIdx.x) % lanes;
  T sums[kElements] = {};
  if (r < a.rows.count) {
    const std::int64_t begin = a.rows.begin(r), end = a.rows.end(r);
    for (std::int64_t k = begin - (lanes == kWarp ? begin % kSector : 0) + lane; k < end;
         k += kElements * lanes) {
      const auto has = [&](int e) { return k + e * lanes >= begin && k + e * lanes < end; };
      std::int32_t columns[kElements];
      T values[kElements];
#pragma unroll
      for (int e = 0; e < kElements; ++e) columns[e] = has(e) ? load_once(a.columns + k + e * lanes) : 0;
#pragma unroll
      for (int e = 0; e < kElements; ++e) values[e] = has(e) ? load_once(a.values + k + e * lanes) : T(0);
#pragma unroll
      for (int e = 0; e < kElements; ++e) sums[e] += has(e) ? values[e] * a.x[columns[e]] : T(0);
    }
  }
  const T sum = reduce_lanes<Plus>(reduce_registers<Plus>(sums), lanes);
  if (lane == 0 && r < a.rows.count) a.store(r, sum);
}

template <class C, int kElements = kAhead>
void loads_ahead(const typename C::Args& a, Context& ctx) {
  const std::int64_t average = ceil_div(a.elements, a.rows.count);
  int lanes = 1;
  while (lanes * kElements < average && lanes < kWarp) lanes *= 2;
  launch(ctx, ceil_div(a.rows.count, kThreads / lanes), kThreads, 0, loads_ahead_lanes<C, kElements>, a,
         lanes);
}

REGISTER(
    Spmv, loads_ahead, .note = "as warp_per_row, four elements of a lane on their way",
    .suits = [](const Spmv::Shape& s) { return s.variant() == 0; })

}  // namespace
}  // namespace tandem
