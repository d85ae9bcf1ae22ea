#pragma once
// A tile of the merge path, reduced by a block, and what tiles pass on to those behind them.

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "tandem/device/warp.cuh"

namespace tandem {

constexpr int kPathThreads = 256;
constexpr int kPathWarps = kPathThreads / kWarp;
constexpr int kPathItems = 15;  // elements of a thread, side by side, unless a step says otherwise
constexpr int kPathTile = kPathThreads * kPathItems;

/// What a part of the path has of the segment that is open at its end, and whether one ends in it.
template <class T>
struct Open {
  alignas(sizeof(T)) T value;  // moves as one word
  int ends;
};
template <class Op>
struct Join {
  template <class T>
  __device__ Open<T> operator()(const Open<T>& a, const Open<T>& b) const {
    return {b.ends ? b.value : Op{}(a.value, b.value), a.ends | b.ends};
  }
};

/// Called by all threads of a block, and again only behind a barrier: what the threads before this one have, and all of them.
template <class Op, class T>
struct Before {
  Open<T> here, total;

  __device__ Before(Shared<Open<T>, kPathWarps>& of_warps, const Open<T>& mine) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const Open<T> through = warp_inclusive_scan<Join<Op>>(mine), below = shuffle_up(through, 1);
    if (lane == kWarp - 1) of_warps[warp] = through;
    __syncthreads();
    here = total = {Op::template identity<T>(), 0};
#pragma unroll
    for (int w = 0; w < kPathWarps; ++w) {
      if (w == warp) here = total;
      total = Join<Op>{}(total, of_warps[w]);
    }
    if (lane > 0) here = Join<Op>{}(here, below);
  }
};

/// Called by all threads of a block. `tile` holds the elements between two points of the path, at the latest after
/// tile.wait(); result_of(j) is room in shared memory, apart from them, for the result of segment j of those that end there:
/// together they are at most kItems for each thread. Elements are widened to T. Returns op over what there is of the segment
/// that is open at the end. Other threads see results behind a barrier, which is here.
template <class Op, class T, int kItems = kPathItems, class Elements, class ResultOf>
__device__ T reduce_path_tile(Elements& tile, const ResultOf& result_of,
                              const SegmentedReduce::Layout& segments, const MergePath::Point& from,
                              const MergePath::Point& to) {
  __shared__ Shared<unsigned, kPathThreads>
      ends;  // a bit for each element of a thread that is a segment's last
  __shared__ Shared<std::uint16_t, kPathThreads * kItems>
      segment_of;  // such an element ends: which of the tile's
  __shared__ Shared<Open<T>, kPathWarps> of_warps;
  const int t = threadIdx.x, elements = int(to.element - from.element),
            count = int(to.segment - from.segment);
  ends[t] = 0;
  __syncthreads();
  constexpr int kAhead = 4;  // segments of a thread whose offsets are on their way
  for (int some = t; some < count; some += kAhead * kPathThreads) {
    // Within a tile their low halves tell all. The first segment may begin far before it.
    const auto low = [](std::int64_t offset) { return static_cast<std::uint32_t>(offset); };
    std::uint32_t begins[kAhead], behind[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const int j = some + k * kPathThreads;
      begins[k] = j > 0 && j < count ? low(segments.begin(from.segment + j)) : low(from.element);
      behind[k] = j < count ? low(segments.end(from.segment + j)) : low(from.element);
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const int j = some + k * kPathThreads;
      if (j < count) result_of(j) = Op::template identity<T>();
      if (j >= count || behind[k] == begins[k]) continue;  // it has no elements here
      const int last = int(behind[k] - low(from.element)) - 1;
      segment_of[last] = std::uint16_t(j);
      atomicOr(&ends[last / kItems], 1u << last % kItems);
    }
  }
  tile.wait();
  __syncthreads();

  const int first = t * kItems;
  T values[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k)
    values[k] = first + k < elements ? static_cast<T>(tile[first + k]) : Op::template identity<T>();
  const unsigned last_here = ends[t];
  const auto result = [&](int k) -> T& { return result_of(segment_of[first + k]); };
  Open<T> open{Op::template identity<T>(), last_here != 0};
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    open.value = Op{}(open.value, values[k]);
    if (last_here >> k & 1) {
      result(k) = open.value;
      open.value = Op::template identity<T>();
    }
  }
  const Before<Op, T> before(of_warps, open);
  if (last_here) {
    T& first_result = result(__ffs(int(last_here)) - 1);
    first_result = Op{}(before.here.value, first_result);
  }
  __syncthreads();
  return before.total.value;
}

/// What a tile, or a group of them, passes on.
template <class T>
struct Carry {
  T value;             // of the segment that is open at its end
  std::int64_t first;  // the result of the first segment that ends in it
  bool ends;           // whether one does
};

/// Block b joins kPathThreads carries: each goes to the first segment that ends behind it, and what is left is the group's.
template <class Op, class T>
__global__ void __launch_bounds__(kPathThreads)
    join_carries(const Carry<T>* carries, std::int64_t n, T* out, Carry<T>* groups) {
  __shared__ Shared<Open<T>, kPathWarps> of_warps;
  start_early();
  const std::int64_t i = std::int64_t(blockIdx.x) * kPathThreads + threadIdx.x;
  const Carry<T> mine = i < n ? carries[i] : Carry<T>{Op::template identity<T>(), 0, false};
  const Before<Op, T> before(of_warps, {mine.value, mine.ends});
  if (mine.ends) out[mine.first] = Op{}(before.here.value, out[mine.first]);
  Carry<T>& group = groups[blockIdx.x];
  if (mine.ends && !before.here.ends) group.first = mine.first;
  if (threadIdx.x == 0) {
    group.value = before.total.value;
    group.ends = before.total.ends != 0;
  }
}

/// Level by level, until one is left: of the order that n alone decides.
template <class Op, class T>
void join_levels(const Carry<T>* carries, std::int64_t n, T* out, Context& ctx) {
  if (n == 1) return;
  const std::int64_t blocks = ceil_div(n, kPathThreads);
  auto* groups = ctx.scratch<Carry<T>>(blocks);
  launch_early(ctx, blocks, kPathThreads, 0, join_carries<Op, T>, carries, n, out, groups);
  join_levels<Op, T>(groups, blocks, out, ctx);
}

/// Thread t finds where tile t begins; all that lie behind the path begin at its end.
static __global__ void find_tiles(MergePath path, std::int64_t tiles, int items, MergePath::Point* begins) {
  start_early();
  const std::int64_t t = std::int64_t(blockIdx.x) * kPathThreads + threadIdx.x;
  if (t <= tiles) begins[t] = path.at(min(t * items, path.items()));
}
/// Where tiles of so many items begin, and the last one ends.
inline const MergePath::Point* tile_begins(const SegmentedReduce::Layout& segments, std::int64_t tiles,
                                           Context& ctx, int items = kPathTile) {
  auto* begins = ctx.scratch<MergePath::Point>(tiles + 1);
  launch_early(ctx, ceil_div(tiles + 1, kPathThreads), kPathThreads, 0, find_tiles, MergePath{segments},
               tiles, items, begins);
  return begins;
}

}  // namespace tandem
