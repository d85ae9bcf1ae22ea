// Idea:    sorted runs are merged two by two until one is left. The path that a merge takes through the two runs is cut
//          by diagonals into tiles of equal size, and again into the few items of a thread, so that all blocks and all
//          threads have the same to do, whatever the keys.
// New:     against the radix sorts, only comparisons: any order would do. Within a tile runs grow from one item to
//          1,024 in shared memory.
// Expect:  log2(n / 1024) + 1 passes, one launch each, which read and write everything in whole lines; two binary
//          searches for each tile and pass.
// Limits:  a thread merges item by item, and its lane reads where the keys say: bank conflicts.
// Source:  Green, McColl, Bader 2012, "GPU merge path: a GPU merging algorithm".

#include "custom_kernels/sort/detail/passes.h"
#include "custom_kernels/sort/detail/tile_merge.cuh"

namespace tandem {
namespace {

template <class Key, class Value>
__global__ void sort_tiles(Sort::Items<const Key, const Value> in, std::int64_t n,
                           Sort::Items<Key, Value> out, KeyOrder<Key> order) {
  __shared__ Shared<Key, kMergeTile> keys;
  __shared__ Shared<Value, kMergeTile> values;
  MergeTile<Key, Value> tile{keys, values, order, {}, {}};
  const int t = threadIdx.x, own = t * kMergeItems;
  const std::int64_t first = std::int64_t(blockIdx.x) * kMergeTile;
  const int count = int(min(std::int64_t{kMergeTile}, n - first));
  for (int i = t; i < count; i += kMergeThreads) {
    keys[i] = in.keys[first + i];
    if constexpr (in.kPairs) values[i] = in.values[first + i];
  }
  __syncthreads();
  // A thread sorts its own items by insertion; then threads share the merges of ever longer runs.
  for (int i = own + 1; i < min(own + kMergeItems, count); ++i) {
    for (int j = i; j > own && order.rank(keys[j]) < order.rank(keys[j - 1]); --j) tile.exchange(j - 1, j);
  }
  for (int run = kMergeItems; run < count; run *= 2) {
    __syncthreads();
    const int x = own / (2 * run) * (2 * run), y = min(x + run, count), end = min(x + 2 * run, count);
    if (own < count) tile.merge(x, y, end, own - x);
    __syncthreads();
    tile.put(own, count);
  }
  __syncthreads();
  for (int i = t; i < count; i += kMergeThreads) {
    out.keys[first + i] = keys[i];
    if constexpr (out.kPairs) out.values[first + i] = values[i];
  }
}

/// Every two neighbouring runs of `run` items, a multiple of a tile, become one.
template <class Key, class Value>
__global__ void merge_tiles(Sort::Items<const Key, const Value> from, std::int64_t n, std::int64_t run,
                            Sort::Items<Key, Value> to, KeyOrder<Key> order) {
  __shared__ Shared<Key, kMergeTile> keys;
  __shared__ Shared<Value, kMergeTile> values;
  __shared__ Shared<std::int64_t, 2>
      cuts;  // items of the first run that lie before the tile, and before its end
  MergeTile<Key, Value> tile{keys, values, order, {}, {}};
  const int t = threadIdx.x, own = t * kMergeItems;
  const std::int64_t first = std::int64_t(blockIdx.x) * kMergeTile;
  const int count = int(min(std::int64_t{kMergeTile}, n - first));
  const auto [begin, middle, end] = run_pair(first, run, n);
  const Key *x = from.keys + begin, *y = from.keys + middle;
  if (t < 2) {
    cuts[t] = merge_path(middle - begin, end - middle, first - begin + t * count,
                         [&](std::int64_t i, std::int64_t j) { return order.rank(y[j]) < order.rank(x[i]); });
  }
  __syncthreads();
  const int of_x = int(cuts[1] - cuts[0]);
  const std::int64_t x_first = begin + cuts[0], y_first = middle + (first - begin - cuts[0]) - of_x;
  for (int i = t; i < count; i += kMergeThreads) {
    const std::int64_t at = i + (i < of_x ? x_first : y_first);
    keys[i] = from.keys[at];
    if constexpr (from.kPairs) values[i] = from.values[at];
  }
  __syncthreads();
  if (own < count) tile.merge(0, of_x, count, own);
  __syncthreads();
  tile.put(own, count);
  __syncthreads();
  for (int i = t; i < count; i += kMergeThreads) {
    to.keys[first + i] = keys[i];
    if constexpr (to.kPairs) to.values[first + i] = values[i];
  }
}

template <class Key, class Value>
void sort_by_merging(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const std::int64_t tiles = ceil_div(a.n, kMergeTile);
  int passes = 1;
  while (std::int64_t{1} << (passes - 1) < tiles) ++passes;
  for_each_pass<Key, Value>(a, ctx, passes, true, [&](int pass, auto from, auto to) {
    if (pass == 0)
      launch(ctx, tiles, kMergeThreads, 0, sort_tiles<Key, Value>, from, a.n, to, a.order);
    else
      launch(ctx, tiles, kMergeThreads, 0, merge_tiles<Key, Value>, from, a.n,
             std::int64_t{kMergeTile} << (pass - 1), to, a.order);
  });
}

template <class C>
void merge_path_sort(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { sort_by_merging<typename C::Key, Value>(a, ctx); });
}

REGISTER(
    Sort, merge_path_sort, .note = "tiles, then merges cut by merge paths",
    .suits = [](const Sort::Shape& shape) { return shape.suits_comparisons(32); })

}  // namespace
}  // namespace tandem
