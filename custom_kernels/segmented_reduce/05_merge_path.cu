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

#include "custom_kernels/segmented_reduce/detail/path_tile.cuh"
#include "custom_kernels/segmented_reduce/detail/tile.cuh"

namespace tandem {
namespace {

template <class C>
__global__ void __launch_bounds__(kPathThreads)
    reduce_tile(typename C::Args a, const MergePath::Point* begins, Carry<typename C::Acc>* carries) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  constexpr bool kWidens = !std::is_same_v<T, Acc>;
  __shared__ typename Tile<T, kPathTile, kPathThreads>::Memory memory;
  __shared__ Shared<Acc, kWidens ? kPathTile : 1> wide_results;
  start_early();
  const MergePath::Point from = begins[blockIdx.x], to = begins[blockIdx.x + 1];
  const int elements = int(to.element - from.element), segments = int(to.segment - from.segment);
  Tile<T, kPathTile, kPathThreads> tile(memory, a.in + from.element, elements);
  const auto result_of = [&](int j) -> Acc& {
    if constexpr (kWidens)
      return wide_results[j];
    else
      return tile[elements + j];
  };
  const Acc open = reduce_path_tile<typename C::Op, Acc>(tile, result_of, a.segments, from, to);
  for (int j = threadIdx.x; j < segments; j += kPathThreads) a.out[from.segment + j] = result_of(j);
  if (threadIdx.x == 0) carries[blockIdx.x] = {open, from.segment, segments > 0};
}

template <class C>
void merge_path(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  const std::int64_t tiles = ceil_div(a.elements + a.segments.count, kPathTile);
  const MergePath::Point* begins = tile_begins(a.segments, tiles, ctx);
  auto* carries = ctx.scratch<Carry<Acc>>(tiles);
  launch_early(ctx, tiles, kPathThreads, 0, reduce_tile<C>, a, begins, carries);
  join_levels<typename C::Op, Acc>(carries, tiles, a.out, ctx);
}

// 15 elements of a thread, a scan over 256 threads, and one over 256 carries for each level.
REGISTER(
    SegmentedReduce, merge_path, .note = "blocks take equal shares of elements and segments",
    .depth = [](std::int64_t) { return 15.0 + 5 * 16; }, .refuses = SegmentedReduce::refuse_gaps)

}  // namespace
}  // namespace tandem
