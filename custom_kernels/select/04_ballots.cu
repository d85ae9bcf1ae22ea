// Idea:    a ballot tells all lanes of a warp which of 32 neighbours are kept, and a count of the bits below its own tells
//          a lane its place among them. Tiles are counted, the counts are scanned, and the tiles compacted.
// New:     against flags_scan_scatter, no flag and no position is ever written: 32 of them are one register. What a tile
//          tells the others is one count for 4,096 elements.
// Expect:  the elements are read twice, and those that are kept written: three words where that read and wrote nine. The
//          scan of the counts is short. Lanes write neighbours, though not whole lines.
// Limits:  three launches; reads the input twice. In place it writes to scratch, and copies.
// Source:  Harris 2014, "CUDA pro tip: optimized filtering with warp-aggregated atomics"; Billeter, Olsson, Assarsson
//          2009, "Efficient stream compaction on wide SIMD many-core architectures".

#include "lib/ops/select/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kRows = 16;  // of 32 neighbours each, owned by one warp
constexpr int kTile = kThreads * kRows;
constexpr int kScanThreads = 1024;

__device__ std::int64_t first_of_lane() {
  return std::int64_t(blockIdx.x) * kTile + int(threadIdx.x) / kWarp * kRows * kWarp +
         int(threadIdx.x) % kWarp;
}

template <class C>
__global__ void count_tiles(typename C::Args a, std::int64_t* counts) {
  __shared__ Shared<int, kWarps> warp_counts;
  const std::int64_t first = first_of_lane();
  int count = 0;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t i = first + r * kWarp;
    count += __popc(__ballot_sync(kAllLanes, i < a.n && a.keeps(i)));
  }
  if (threadIdx.x % kWarp == 0) warp_counts[threadIdx.x / kWarp] = count;
  __syncthreads();
  if (threadIdx.x > 0) return;
  int total = 0;
  for (int w = 0; w < kWarps; ++w) total += warp_counts[w];
  counts[blockIdx.x] = total;
}

/// One block, in place: counts of tiles become what is kept before them.
__global__ void __launch_bounds__(kScanThreads)
    scan_counts(std::int64_t* counts, std::int64_t tiles, std::int64_t* count) {
  __shared__ Shared<std::int64_t, kScanThreads / kWarp> warp_totals;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  std::int64_t running = 0;
  for (std::int64_t first = 0; first < tiles; first += kScanThreads) {
    const std::int64_t i = first + threadIdx.x, value = i < tiles ? counts[i] : 0;
    const std::int64_t through = warp_inclusive_scan<Plus>(value);
    if (lane == kWarp - 1) warp_totals[warp] = through;
    __syncthreads();
    const std::int64_t of_warps = warp_inclusive_scan<Plus>(std::int64_t(warp_totals[lane]));
    const std::int64_t before = shuffle(of_warps, warp == 0 ? 0 : warp - 1);
    if (i < tiles) counts[i] = running + (warp == 0 ? 0 : before) + through - value;
    running += shuffle(of_warps, kWarp - 1);
    __syncthreads();  // all have read the totals
  }
  if (threadIdx.x == 0) *count = running;
}

template <class C>
__global__ void compact_tiles(typename C::Args a, const std::int64_t* before) {
  using T = typename C::T;
  __shared__ Shared<int, kWarps> warp_counts;
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  const std::int64_t first = first_of_lane();
  T items[kRows];
  unsigned kept[kRows];  // a bit for each element of a row
  int count = 0;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t i = first + r * kWarp;
    items[r] = i < a.n ? a.in[i] : T{};
    kept[r] = __ballot_sync(kAllLanes, i < a.n && a.keeps(i, items[r]));
    count += __popc(kept[r]);
  }
  if (lane == 0) warp_counts[warp] = count;
  __syncthreads();
  std::int64_t to = before[blockIdx.x];  // where the row's first one goes
  for (int w = 0; w < warp; ++w) to += warp_counts[w];

  const bool partition = a.kind == Select::Kind::partition;
  const std::int64_t others = partition ? *a.count : 0;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const std::int64_t i = first + r * kWarp, mine = to + __popc(kept[r] & ((1u << lane) - 1));
    if (kept[r] >> lane & 1)
      a.out[mine] = items[r];
    else if (partition && i < a.n)
      a.out[others + i - mine] = items[r];
    to += __popc(kept[r]);
    __syncwarp();  // a row's lanes store together
  }
}

template <class T>
__global__ void copy_results(const T* from, T* to, std::int64_t n, const std::int64_t* count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (i < (count ? *count : n)) to[i] = from[i];
}

template <class C>
void ballots(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles = ceil_div(a.n, kTile);
  auto* counts = ctx.scratch<std::int64_t>(tiles);
  typename C::Args apart = a;
  if (a.in == a.out) apart.out = ctx.scratch<T>(a.n);
  launch(ctx, tiles, kThreads, 0, count_tiles<C>, apart, counts);
  launch(ctx, 1, kScanThreads, 0, scan_counts, counts, tiles, a.count);
  launch(ctx, tiles, kThreads, 0, compact_tiles<C>, apart, static_cast<const std::int64_t*>(counts));
  if (apart.out != a.out) {
    launch(ctx, ceil_div(a.n, kThreads), kThreads, 0, copy_results<T>, static_cast<const T*>(apart.out),
           a.out, a.n,
           a.kind == Select::Kind::partition ? nullptr : static_cast<const std::int64_t*>(a.count));
  }
}

REGISTER(Select, ballots, .note = "count tiles by ballots, scan the counts, compact tiles",
         .refuses = Select::takes_all)

}  // namespace
}  // namespace tandem
