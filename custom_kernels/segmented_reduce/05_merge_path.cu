// Idea:    a block takes an equal share of the merge path, on which each segment costs its elements and one item more.
//          Within the block a segmented scan over threads joins what threads have of a segment, and a kernel behind it joins
//          what blocks have, level by level.
// New:     against block_per_segment, lengths do not matter: a block holds a part of one segment or thousands of empty ones.
//          Elements come to shared memory in packs while offsets are read; each thread goes through 15 neighbours, and a bit
//          for each says where a segment ends.
// Expect:  a read of each element and offset and a write of each result, at any lengths; a seventh less where segments have
//          one element. The kernels before and behind it touch a word for thousands of elements. 15 is odd, so the 32 lanes
//          read 32 different banks. All orders are fixed: results repeat.
// Limits:  three launches. Segments lie side by side.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication"; Sengupta, Harris, Zhang, Owens
//          2007, "Scan primitives for GPU computing", on segmented scans.

#include "custom_kernels/segmented_reduce/detail/merge_path.h"
#include "custom_kernels/segmented_reduce/detail/tile.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kItems = 15;  // elements of a thread, side by side
constexpr int kTile = kThreads * kItems;

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

/// Called by all threads of a block, once: what the threads before this one have, and all of them.
template <class Op, class T>
struct Before {
  Open<T> here, total;

  __device__ Before(Shared<Open<T>, kWarps>& of_warps, const Open<T>& mine) {
    const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
    const Open<T> through = warp_inclusive_scan<Join<Op>>(mine), below = shuffle_up(through, 1);
    if (lane == kWarp - 1) of_warps[warp] = through;
    __syncthreads();
    here = total = {Op::template identity<T>(), 0};
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) here = total;
      total = Join<Op>{}(total, of_warps[w]);
    }
    if (lane > 0) here = Join<Op>{}(here, below);
  }
};

/// What a tile, or a group of them, passes on.
template <class T>
struct Carry {
  T value;             // of the segment that is open at its end
  std::int64_t first;  // the first segment that ends in it
  bool ends;           // whether one does
};

/// Thread t finds where tile t begins; all that lie behind the path begin at its end.
__global__ void find_tiles(MergePath path, std::int64_t tiles, MergePath::Point* begins) {
  start_early();
  const std::int64_t t = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  if (t <= tiles) begins[t] = path.at(min(t * kTile, path.items()));
}

template <class C>
__global__ void __launch_bounds__(kThreads)
    reduce_tile(typename C::Args a, const MergePath::Point* begins, Carry<typename C::T>* carries) {
  using T = typename C::T;
  using Op = typename C::Op;
  __shared__ typename Tile<T, kTile, kThreads>::Memory memory;
  __shared__ Shared<unsigned, kThreads> ends;  // a bit for each element of a thread that is a segment's last
  __shared__ Shared<std::uint16_t, kTile> segment_of;  // such an element ends: which of the tile's
  __shared__ Shared<Open<T>, kWarps> of_warps;
  start_early();
  const int t = threadIdx.x;
  const MergePath::Point from = begins[blockIdx.x], to = begins[blockIdx.x + 1];
  const int elements = int(to.element - from.element), segments = int(to.segment - from.segment);

  // Results lie behind the elements: together they are kTile.
  Tile<T, kTile, kThreads> tile(memory, a.in + from.element, elements);
  ends[t] = 0;
  __syncthreads();
  for (int j = t; j < segments; j += kThreads) {
    const std::int64_t s = from.segment + j, end = a.segments.end(s);
    tile[elements + j] = Op::template identity<T>();
    if (end == max(a.segments.begin(s), from.element)) continue;  // it has no elements here
    const int last = int(end - from.element) - 1;
    segment_of[last] = std::uint16_t(j);
    atomicOr(&ends[last / kItems], 1u << last % kItems);
  }
  tile.wait();
  __syncthreads();

  const int first = t * kItems;
  T values[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k)
    values[k] = first + k < elements ? tile[first + k] : Op::template identity<T>();
  const unsigned last_here = ends[t];
  const auto result = [&](int k) -> T& { return tile[elements + segment_of[first + k]]; };
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
  for (int j = t; j < segments; j += kThreads) a.out[from.segment + j] = tile[elements + j];
  if (t == 0) carries[blockIdx.x] = {before.total.value, from.segment, segments > 0};
}

/// Block b joins kThreads carries: each goes to the first segment that ends behind it, and what is left is the group's.
template <class C>
__global__ void __launch_bounds__(kThreads) join_carries(const Carry<typename C::T>* carries, std::int64_t n,
                                                         typename C::T* out, Carry<typename C::T>* groups) {
  using T = typename C::T;
  using Op = typename C::Op;
  __shared__ Shared<Open<T>, kWarps> of_warps;
  start_early();
  const std::int64_t i = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
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

template <class C>
void join_levels(const Carry<typename C::T>* carries, std::int64_t n, typename C::T* out, Context& ctx) {
  if (n == 1) return;
  const std::int64_t blocks = ceil_div(n, kThreads);
  auto* groups = ctx.scratch<Carry<typename C::T>>(blocks);
  launch_early(ctx, blocks, kThreads, 0, join_carries<C>, carries, n, out, groups);
  join_levels<C>(groups, blocks, out, ctx);
}

template <class C>
void merge_path(const typename C::Args& a, Context& ctx) {
  const std::int64_t tiles = ceil_div(a.elements + a.segments.count, kTile);
  auto* begins = ctx.scratch<MergePath::Point>(tiles + 1);
  auto* carries = ctx.scratch<Carry<typename C::T>>(tiles);
  launch_early(ctx, ceil_div(tiles + 1, kThreads), kThreads, 0, find_tiles, MergePath{a.segments}, tiles,
               begins);
  launch_early(ctx, tiles, kThreads, 0, reduce_tile<C>, a, static_cast<const MergePath::Point*>(begins),
               carries);
  join_levels<C>(carries, tiles, a.out, ctx);
}

// 15 elements of a thread, a scan over 256 threads, and one over 256 carries for each level.
REGISTER(
    SegmentedReduce, merge_path, .note = "blocks take equal shares of elements and segments",
    .depth = [](std::int64_t) { return 15.0 + 5 * 16; }, .refuses = SegmentedReduce::refuse_gaps)

}  // namespace
}  // namespace tandem
