#pragma once
// sort and top_k for comparisons of the user's own.

#include <algorithm>

#include "tandem/functors/operands.cuh"
#include "tandem/sort.h"
#include "tandem/top_k.h"

namespace tandem::detail {

constexpr int kOwnSortThreads = 256;
constexpr std::size_t kOwnSortBytes = 48 * 1024 / kOwnSortThreads;  // of an element at the most
/// Neighbouring elements of a thread: as many as keep a tile at 8 KB, but one at least and 4 at most.
template <class T>
constexpr int kOwnSortItems = std::clamp<int>(32 / sizeof(T), 1, 4);

/// A tile's elements in shared memory, where nothing may have a constructor, and those that a thread has merged.
template <class T, class Less>
struct OwnSortTile {
  static constexpr int kItems = kOwnSortItems<T>, kTile = kOwnSortThreads * kItems;
  using Item = Operand<T, false>;
  Shared<Item, kTile>& items;
  const Less& less;
  Item own[kItems];

  __device__ static T value(Item item) {
    T x;
    memcpy(&x, item.bytes, sizeof x);
    return x;
  }
  __device__ bool before(int i, int j) const { return less(value(items[i]), value(items[j])); }
  __device__ void load(int i, T x) {
    Item item;
    memcpy(item.bytes, &x, sizeof x);
    items[i] = item;
  }

  /// Of the runs [x, y) and [y, end): the thread's items become those from `diagonal` on of the merged runs.
  __device__ void merge(int x, int y, int end, int diagonal) {
    const int of_x = merge_path(y - x, end - y, diagonal, [&](int i, int j) { return before(y + j, x + i); });
    int i = x + of_x, j = y + diagonal - of_x;
    for (int k = 0; k < kItems && diagonal + k < end - x; ++k) {
      const bool take_y = i == y || (j < end && before(j, i));
      own[k] = items[take_y ? j++ : i++];
    }
  }
  /// The thread's items, from `first` on, as far as they are below `end`.
  __device__ void put(int first, int end) {
    for (int k = 0; k < kItems && first + k < end; ++k) items[first + k] = own[k];
  }
};

/// As sort/custom/merge_path: a tile is sorted in shared memory, by insertion within a thread, then by merges.
template <class T, class Less>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_sort_tiles(const T* in, std::int64_t n, T* out, Less less) {
  using Tile = OwnSortTile<T, Less>;
  __shared__ Shared<typename Tile::Item, Tile::kTile> items;
  Tile tile{items, less, {}};
  const int t = threadIdx.x, own = t * Tile::kItems;
  const std::int64_t first = std::int64_t(blockIdx.x) * Tile::kTile;
  const int count = int(min(std::int64_t{Tile::kTile}, n - first));
  for (int i = t; i < count; i += kOwnSortThreads) tile.load(i, in[first + i]);
  __syncthreads();
  for (int i = own + 1; i < min(own + Tile::kItems, count); ++i) {
    for (int j = i; j > own && tile.before(j, j - 1); --j) {
      const typename Tile::Item item = items[j];
      items[j] = typename Tile::Item(items[j - 1]);
      items[j - 1] = item;
    }
  }
  for (int run = Tile::kItems; run < count; run *= 2) {
    __syncthreads();
    const int x = own / (2 * run) * (2 * run), y = min(x + run, count), end = min(x + 2 * run, count);
    if (own < count) tile.merge(x, y, end, own - x);
    __syncthreads();
    tile.put(own, count);
  }
  __syncthreads();
  for (int i = t; i < count; i += kOwnSortThreads) out[first + i] = Tile::value(items[i]);
}

/// Each block writes a tile of merged runs of `run` elements.
template <class T, class Less>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_merge_tiles(const T* from, std::int64_t n, std::int64_t run, T* to, Less less) {
  using Tile = OwnSortTile<T, Less>;
  __shared__ Shared<typename Tile::Item, Tile::kTile> items;
  __shared__ Shared<std::int64_t, 2>
      cuts;  // elements of the first run that lie before the tile, and before its end
  Tile tile{items, less, {}};
  const int t = threadIdx.x, own = t * Tile::kItems;
  const std::int64_t first = std::int64_t(blockIdx.x) * Tile::kTile;
  const int count = int(min(std::int64_t{Tile::kTile}, n - first));
  const auto [begin, middle, end] = run_pair(first, run, n);
  if (t < 2) {
    cuts[t] = merge_path(middle - begin, end - middle, first - begin + t * count,
                         OwnRuns<T, Less>{from + begin, from + middle, less});
  }
  __syncthreads();
  const int of_x = int(cuts[1] - cuts[0]);
  const std::int64_t x_first = begin + cuts[0], y_first = middle + (first - begin - cuts[0]) - of_x;
  for (int i = t; i < count; i += kOwnSortThreads) tile.load(i, from[i + (i < of_x ? x_first : y_first)]);
  __syncthreads();
  if (own < count) tile.merge(0, of_x, count, own);
  __syncthreads();
  tile.put(own, count);
  __syncthreads();
  for (int i = t; i < count; i += kOwnSortThreads) to[first + i] = Tile::value(items[i]);
}

template <class T, class Less>
void own_sort_by_merges(Context& ctx, const View<const T>& in, T* out, const Less& less) {
  static_assert(std::is_trivially_copyable_v<Less>,
                "the comparison is copied to the device as it is: it must be trivially copyable");
  static_assert(std::is_default_constructible_v<T> && sizeof(T) <= kOwnSortBytes,
                "sort and top_k on a device: elements, with their values or positions, have a default "
                "constructor and 192 bytes at the "
                "most");
  if (in.size == 0) return;
  constexpr std::int64_t kTile = OwnSortTile<T, Less>::kTile;
  const std::int64_t tiles = ceil_div(in.size, kTile);
  int passes = 0;
  for (std::int64_t run = kTile; run < in.size; run *= 2) ++passes;
  T *from = out, *to = passes > 0 ? ctx.scratch<T>(in.size) : nullptr;
  if (passes % 2 == 1) std::swap(from, to);  // so that the last pass writes to out
  launch(ctx, tiles, kOwnSortThreads, 0, own_sort_tiles<T, Less>, in.data, in.size, from, less);
  for (std::int64_t run = kTile; run < in.size; run *= 2) {
    launch(ctx, tiles, kOwnSortThreads, 0, own_merge_tiles<T, Less>, static_cast<const T*>(from), in.size,
           run, to, less);
    std::swap(from, to);
  }
}

/// Its arguments are checked.
template <class T, class Less>
void own_sort_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, T* out, const Less& less) {
  const CallScope call(ctx, "sort/custom/merge_path");
  own_sort_by_merges(ctx, in, out, less);
}

/// Keys and their values side by side; without values, which are then positions, the keys' own.
template <class T, class V>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_make_pairs(const T* keys, const V* values, std::int64_t n, OwnPair<T, V>* pairs) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSortThreads + threadIdx.x;
  if (i >= n) return;
  if constexpr (std::is_same_v<V, std::int64_t>)
    pairs[i] = {keys[i], values ? values[i] : i};
  else
    pairs[i] = {keys[i], values[i]};
}
template <class T, class V>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_part_pairs(const OwnPair<T, V>* pairs, std::int64_t n, T* keys, V* values) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSortThreads + threadIdx.x;
  if (i >= n) return;
  keys[i] = pairs[i].key;
  values[i] = pairs[i].value;
}

template <class T, class V, class Less>
void own_sort_pairs_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& keys, const V* values,
                              T* keys_out, V* values_out, const Less& less) {
  using Pair = OwnPair<T, V>;
  const CallScope call(ctx, "sort/custom/merge_path");
  const std::int64_t n = keys.size, blocks = ceil_div(n, kOwnSortThreads);
  if (n == 0) return;
  Pair* const pairs = ctx.scratch<Pair>(n);
  launch(ctx, blocks, kOwnSortThreads, 0, own_make_pairs<T, V>, keys.data, values, n, pairs);
  own_sort_by_merges(ctx, View<const Pair>{pairs, n}, pairs, ByOwnKey<Less>{less});
  launch(ctx, blocks, kOwnSortThreads, 0, own_part_pairs<T, V>, static_cast<const Pair*>(pairs), n, keys_out,
         values_out);
}

/// The first k elements of each tile, close together.
template <class Pair>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_keep_first(const Pair* tiles, int tile, std::int64_t k, std::int64_t count, Pair* kept) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSortThreads + threadIdx.x;
  if (i < count) kept[i] = tiles[i / k * tile + i % k];
}
template <class T>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_write_first(const OwnPair<T, std::int64_t>* pairs, FirstKeys<T> first) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSortThreads + threadIdx.x;
  if (i < first.k) first.write(i, pairs[i]);
}

/// Rounds in which sorted tiles keep their first k, where that halves what there is; then a sort of the rest, as top_k/custom/sort_all.
template <class T, class Less>
void own_top_k_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, const FirstKeys<T>& first,
                         const Less& less) {
  using Pair = OwnPair<T, std::int64_t>;
  constexpr int kTile = OwnSortTile<Pair, ByOwnKey<Less>>::kTile;
  const CallScope call(ctx, "top_k/custom/sort_all");
  const std::int64_t k = first.k;
  if (k == 0) return;
  const auto blocks = [](std::int64_t threads) { return ceil_div(threads, kOwnSortThreads); };
  const ByOwnKey<Less> before{less};
  std::int64_t n = in.size;
  Pair *const pairs = ctx.scratch<Pair>(n), *const tiles = 2 * k <= kTile ? ctx.scratch<Pair>(n) : nullptr;
  launch(ctx, blocks(n), kOwnSortThreads, 0, own_make_pairs<T, std::int64_t>, in.data,
         static_cast<const std::int64_t*>(nullptr), n, pairs);
  while (tiles && n > kTile) {
    const std::int64_t whole = n / kTile, rest = std::min(k, n % kTile), count = whole * k + rest;
    launch(ctx, ceil_div(n, kTile), kOwnSortThreads, 0, own_sort_tiles<Pair, ByOwnKey<Less>>,
           static_cast<const Pair*>(pairs), n, tiles, before);
    launch(ctx, blocks(count), kOwnSortThreads, 0, own_keep_first<Pair>, static_cast<const Pair*>(tiles),
           kTile, k, count, pairs);
    n = count;
  }
  own_sort_by_merges(ctx, View<const Pair>{pairs, n}, pairs, before);
  launch(ctx, blocks(k), kOwnSortThreads, 0, own_write_first<T>, static_cast<const Pair*>(pairs), first);
}

}  // namespace tandem::detail
