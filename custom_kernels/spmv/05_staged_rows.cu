// Idea:    the elements of a block's rows lie one behind the other, so the block copies them to shared memory as one stretch, in
//          packs, a tile at a time; from there each thread adds up a row of its own.
// New:     against thread_per_row, which threads add up what no longer says who reads what: the matrix comes in whole lines,
//          past the cache, with all of a tile on its way at once. Neighbouring threads still want neighbouring elements of x
//          where rows are alike, as on a grid or a band, so these are whole lines, too.
// Expect:  the bandwidth of the memory where rows are alike. Of rows of even length, threads in one bank of shared memory
//          begin at other elements and go round, so that 32 lanes read 32 banks.
// Limits:  a block takes as long as its longest row. Rows of hundreds of elements take a tile after the other, and few blocks
//          have many of them.
// Source:  Greathouse, Daga 2014, "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format"
//          (CSR-stream), of which products, too, would pass through shared memory.

#include "custom_kernels/segmented_reduce/detail/tile.cuh"
#include "lib/ops/spmv/contract.h"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kRows = 128;         // of a block, each of a thread
constexpr int kRoom = kRows * 28;  // elements of a tile
constexpr int kNext = 7;           // elements of a row for which x is on its way at once
constexpr int kMostBytes = kRoom * (sizeof(double) + sizeof(std::int32_t));  // of a tile

template <class C, int kThreads, int kTile, int kAhead>
__global__ void __launch_bounds__(kThreads) staged_rows_block(typename C::Args a) {
  using T = typename C::T;
  using Values = Tile<T, kTile, kThreads>;
  using Columns = Tile<typename C::ColumnNumber, kTile, kThreads>;
  __shared__ typename Values::Memory of_values;
  __shared__ typename Columns::Memory of_columns;
  start_early();
  const std::int64_t first = std::int64_t(blockIdx.x) * kThreads, r = first + threadIdx.x;
  const bool there = r < a.rows.count;
  const std::int64_t begin = there ? a.rows.begin(r) : 0, end = there ? a.rows.end(r) : 0;
  const std::int64_t all = a.rows.end(min(first + kThreads, a.rows.count) - 1);
  T sum = 0;
  for (std::int64_t tile = a.rows.begin(first); tile < all; tile += kTile) {
    const int n = int(min(all - tile, std::int64_t(kTile)));
    Values values(of_values, a.values + tile, n);
    Columns columns(of_columns, a.columns + tile, n);
    values.wait(), columns.wait();
    __syncthreads();
    const auto inside = [&](std::int64_t k) {
      return int(min(max(k - tile, std::int64_t(0)), std::int64_t(n)));
    };
    const int mine = inside(begin), count = inside(end) - mine;
    // Row lengths of 2^b·odd put up to 2^b of the lanes that are served at once into one bank: these start one after the other.
    constexpr int kAtOnce = 128 / sizeof(T);
    int k = int(threadIdx.x) % kWarp * min(count & -count, kAtOnce) / kAtOnce;
    if (k >= count) k -= count;
    for (int i = 0; i < count; i += kAhead) {
      int at[kAhead];
      T factors[kAhead];
#pragma unroll
      for (int u = 0; u < kAhead; ++u) {
        at[u] = mine + k;
        k = k + 1 < count ? k + 1 : 0;
      }
      // Behind the last element the first ones come again, so that loads wait for no comparison.
#pragma unroll
      for (int u = 0; u < kAhead; ++u) factors[u] = a.x[columns[at[u]]];
#pragma unroll
      for (int u = 0; u < kAhead; ++u) {
        const T product = values[at[u]] * factors[u];
        sum += i + u < count ? product : T(0);
      }
    }
    __syncthreads();
  }
  if (there) a.store(r, sum);
}

template <class C, int kThreads = kRows, int kTile = kRoom, int kAhead = kNext>
void staged_rows(const typename C::Args& given, Context& ctx) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    constexpr int kFits = kMostBytes / (sizeof(typename K::T) + sizeof(typename K::ColumnNumber));
    launch_early(ctx, ceil_div(a.rows.count, kThreads), kThreads, 0,
                 staged_rows_block<K, kThreads, std::min(kTile, kFits), kAhead>, a);
  });
}

REGISTER(
    Spmv, staged_rows, .note = "a block copies its rows to shared memory, a thread adds up each",
    .suits = [](const Spmv::Shape& s) { return s.variant() == 0 && s.average() <= 128; })

}  // namespace
}  // namespace tandem
