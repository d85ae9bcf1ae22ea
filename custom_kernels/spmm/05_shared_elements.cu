// Idea:    a warp reads 32 elements of its row at once, side by side, puts them into shared memory and multiplies all of its
//          columns by each of them: up to 128, four for each lane.
// New:     against columns_across_lanes, the elements of A are read as whole lines and once for 128 columns; each of them, in
//          registers, serves four multiply-adds that wait for no other.
// Expect:  of wide matrices nearly one load of B for each multiply-add and few loads besides.
// Limits:  B and C must be row-major. A lane has at least one column of its own, so fewer than 32 columns leave lanes idle.
//          Warps of long rows take longer, as before.
// Source:  Huang, Dai, Wang, Yang 2020, "GE-SpMM: general-purpose sparse matrix-matrix multiplication on GPUs for graph neural
//          networks" (coalesced row caching, coarse-grained warp merging).

#include "lib/ops/spmm/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kMostColumns = 4;  // of a lane

/// Warp w has row w / blocks and kColumns · 32 columns, from w % blocks on in such blocks.
template <class C, int kColumns>
__global__ void __launch_bounds__(kThreads) shared_elements_row(typename C::Args a, std::int64_t blocks) {
  using T = typename C::T;
  __shared__ Shared<T, kThreads> all_values;
  __shared__ Shared<typename C::ColumnNumber, kThreads> all_columns;
  const int lane = int(threadIdx.x) % kWarp,
            first = int(threadIdx.x) - lane;  // of the warp's in shared memory
  const std::int64_t w = (std::int64_t(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
  const std::int64_t r = w / blocks, j = w % blocks * (kColumns * kWarp) + lane;
  if (r >= a.rows.count) return;  // the whole warp
  T sums[kColumns] = {};
  for (std::int64_t k = a.rows.begin(r), end = a.rows.end(r); k < end; k += kWarp) {
    const int count = int(min(end - k, std::int64_t(kWarp)));
    __syncwarp();
    if (lane < count) {
      all_values[threadIdx.x] = a.values[k + lane];
      all_columns[threadIdx.x] = a.columns[k + lane];
    }
    __syncwarp();
    for (int i = 0; i < count; ++i) {
      const T value = all_values[first + i];
      const T* const line = a.b.data + all_columns[first + i] * a.b.row + j;
#pragma unroll
      for (int c = 0; c < kColumns; ++c) {
        if (j + c * kWarp < a.width) sums[c] += value * line[c * kWarp];
      }
    }
  }
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
    if (j + c * kWarp < a.width) a.store(r, j + c * kWarp, sums[c]);
  }
}

template <class C, int kColumns = kMostColumns>
void shared_elements(const typename C::Args& given, Context& ctx) {
  if constexpr (kColumns > 1) {
    if (given.width <= kColumns / 2 * kWarp) return shared_elements<C, kColumns / 2>(given, ctx);
  }
  const std::int64_t blocks = ceil_div(given.width, kColumns * kWarp);
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch(ctx, ceil_div(a.rows.count * blocks, kThreads / kWarp), kThreads, 0,
           shared_elements_row<K, kColumns>, a, blocks);
  });
}

REGISTER(Spmm, shared_elements, .note = "a row's elements in shared memory, for up to 128 columns at once",
         .refuses = Spmm::refuse_columns, .suits = Spmm::suits_walks)

}  // namespace
}  // namespace tandem
