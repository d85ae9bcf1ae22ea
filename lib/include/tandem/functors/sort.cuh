#pragma once
// sort and top_k for comparisons of the user's own.

#include <algorithm>

#include "tandem/functors/operands.cuh"
#include "tandem/sort.h"
#include "tandem/top_k.h"

namespace tandem::detail {

constexpr int kOwnSortThreads = 256;
constexpr std::size_t kOwnSortBytes = 48 * 1024 / kOwnSortThreads;  // of an element at the most
/// Neighbouring elements of a thread: as many as keep a tile at 16 KB, but one at least and 16 at most. Each merge takes a search,
/// however many they are.
template <class T>
constexpr int kOwnSortItems = std::clamp<int>(64 / sizeof(T), 1, 16);

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
    memcpy(&x, item.words, sizeof x);
    return x;
  }
  __device__ bool before(int i, int j) const { return less(value(items[i]), value(items[j])); }
  __device__ void load(int i, T x) {
    Item item;
    memcpy(item.words, &x, sizeof x);
    items[i] = item;
  }

  /// Of the runs [x, y) and [y, end): the thread's items become those from `diagonal` on of the merged runs.
  __device__ void merge(int x, int y, int end, int diagonal) {
    const int of_x = merge_path(y - x, end - y, diagonal, [&](int i, int j) { return before(y + j, x + i); });
    int i = x + of_x, j = y + diagonal - of_x;
    Item next_x, next_y;
    if (i < y) next_x = items[i];
    if (j < end) next_y = items[j];
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      const bool take_y = i >= y || (j < end && less(value(next_y), value(next_x)));
      own[k] = take_y ? next_y : next_x;
      if (take_y) {
        if (++j < end) next_y = items[j];
      } else {
        if (++i < y) next_x = items[i];
      }
    }
  }
  /// The thread's items, from `first` on, as far as they are below `end`.
  __device__ void put(int first, int end) {
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (first + k < end) items[first + k] = own[k];
    }
  }
  /// Sorts the thread's items, from `first` on, of those below `end`, in rounds that exchange neighbours.
  __device__ void sort_own(int first, int end) {
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (first + k < end) own[k] = items[first + k];
    }
#pragma unroll
    for (int round = 0; round < kItems; ++round) {
#pragma unroll
      for (int k = round % 2; k + 1 < kItems; k += 2) {
        if (first + k + 1 < end && less(value(own[k + 1]), value(own[k]))) {
          const Item item = own[k];
          own[k] = own[k + 1];
          own[k + 1] = item;
        }
      }
    }
    put(first, end);
  }
  /// Called by the block, behind a barrier: sorts the first `count` items, by exchanges within a thread, then by merges. Ends with a
  /// barrier.
  __device__ void sort(int count) {
    const int own_first = threadIdx.x * kItems;
    if (own_first < count) sort_own(own_first, count);
    for (int run = kItems; run < count; run *= 2) {
      __syncthreads();
      const int x = own_first / (2 * run) * (2 * run), y = min(x + run, count), end = min(x + 2 * run, count);
      if (own_first < count) merge(x, y, end, own_first - x);
      __syncthreads();
      put(own_first, count);
    }
    __syncthreads();
  }
};

/// As sort/custom/merge_path: a tile is sorted in shared memory.
template <class T, class Less>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_sort_tiles(const T* in, std::int64_t n, T* out, Less less) {
  using Tile = OwnSortTile<T, Less>;
  __shared__ Shared<typename Tile::Item, Tile::kTile> items;
  Tile tile{items, less, {}};
  const std::int64_t first = std::int64_t(blockIdx.x) * Tile::kTile;
  const int count = int(min(std::int64_t{Tile::kTile}, n - first));
  for (int i = threadIdx.x; i < count; i += kOwnSortThreads) tile.load(i, in[first + i]);
  __syncthreads();
  tile.sort(count);
  for (int i = threadIdx.x; i < count; i += kOwnSortThreads) out[first + i] = Tile::value(items[i]);
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

/// The order of keys, then of positions: what a stable sort does with positions that ascend.
template <class Less>
struct ByKeyAndPosition {
  Less less;
  template <class Pair>
  TANDEM_HD bool operator()(const Pair& a, const Pair& b) const {
    return less(a.key, b.key) || (!less(b.key, a.key) && a.value < b.value);
  }
};

/// Block b writes the first k of elements [b·share, (b+1)·share), in order, to kept + b·k: it keeps the first k of what it has read
/// and passes over elements that do not come before their last one; the others wait until a tile is full. k is at most half a tile,
/// and a tile has room for k elements and one of each thread.
template <class T, class Less>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_keep_first(const T* in, std::int64_t n, std::int64_t share, int k, Less less,
                   OwnPair<T, std::int64_t>* kept) {
  using Pair = OwnPair<T, std::int64_t>;
  using Tile = OwnSortTile<Pair, ByKeyAndPosition<Less>>;
  constexpr int kAtOnce = 8;
  __shared__ Shared<typename Tile::Item, Tile::kTile> items;
  __shared__ Shared<int, 1> count;
  const ByKeyAndPosition<Less> before{less};
  Tile tile{items, before, {}};
  const int t = threadIdx.x;
  const std::int64_t begin = blockIdx.x * share, end = min(n, begin + share);
  bool full = false;  // the first k items are the first k of all that went before, in order
  const auto comes_before_last = [&](const T& x) { return !full || less(x, Tile::value(items[k - 1]).key); };
  const auto keep_first = [&] {
    const int candidates = count[0];
    tile.sort(candidates);
    full = candidates >= k;
    if (t == 0) count[0] = min(candidates, k);
    __syncthreads();
  };
  if (t == 0) count[0] = 0;
  __syncthreads();
  for (std::int64_t first = begin; first < end; first += kAtOnce * kOwnSortThreads) {
    unsigned candidates = 0;
#pragma unroll
    for (int r = 0; r < kAtOnce; ++r) {
      const std::int64_t i = first + r * kOwnSortThreads + t;
      candidates |= unsigned(i < end && comes_before_last(in[i])) << r;
    }
    if (!__syncthreads_or(candidates)) continue;
    for (int r = 0; r < kAtOnce; ++r) {
      if (count[0] + kOwnSortThreads > Tile::kTile) keep_first();
      const std::int64_t i = first + r * kOwnSortThreads + t;
      const bool candidate = candidates >> r & 1 && comes_before_last(in[i]);
      __syncthreads();
      if (candidate) tile.load(atomicAdd(&count[0], 1), Pair{in[i], i});
      __syncthreads();
    }
  }
  keep_first();
  for (int i = t; i < count[0]; i += kOwnSortThreads) kept[blockIdx.x * k + i] = Tile::value(items[i]);
}

/// The first k elements of each tile, close together.
template <class Pair>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_heads_of_tiles(const Pair* tiles, int tile, std::int64_t k, std::int64_t count, Pair* kept) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSortThreads + threadIdx.x;
  if (i < count) kept[i] = tiles[i / k * tile + i % k];
}
template <class T>
__global__ void __launch_bounds__(kOwnSortThreads)
    own_write_first(const OwnPair<T, std::int64_t>* pairs, FirstKeys<T> first) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kOwnSortThreads + threadIdx.x;
  if (i < first.k) first.write(i, pairs[i]);
}

/// Blocks keep the first k of their shares, then rounds of sorted tiles theirs, where k is at most half a tile; then a sort of the
/// rest, as top_k/custom/sort_all.
template <class T, class Less>
void own_top_k_by_kernel(OnHostAndDevice, Context& ctx, const View<const T>& in, const FirstKeys<T>& first,
                         const Less& less) {
  using Pair = OwnPair<T, std::int64_t>;
  constexpr int kTile = OwnSortTile<Pair, ByOwnKey<Less>>::kTile;
  const CallScope call(ctx, "top_k/custom/sort_all");
  const std::int64_t k = first.k;
  if (k == 0) return;
  const auto blocks = [](std::int64_t threads) { return ceil_div(threads, kOwnSortThreads); };
  // Of parts of `size` elements each keeps k, the last one what it has.
  const auto kept_of = [&](std::int64_t n, std::int64_t size) {
    return n / size * k + std::min(k, n % size);
  };
  const ByOwnKey<Less> before{less};
  std::int64_t n = in.size;
  Pair* pairs;
  const bool by_tiles = 2 * k <= kTile;
  if (by_tiles && kTile >= 2 * kOwnSortThreads) {
    const std::int64_t share =
        std::max<std::int64_t>(4 * kTile, ceil_div(n, std::int64_t{4} * ctx.multiprocessors()));
    const std::int64_t kept = kept_of(n, share);
    pairs = ctx.scratch<Pair>(kept);
    launch(ctx, ceil_div(n, share), kOwnSortThreads, 0, own_keep_first<T, Less>, in.data, n, share,
           static_cast<int>(k), less, pairs);
    n = kept;
  } else {
    pairs = ctx.scratch<Pair>(n);
    launch(ctx, blocks(n), kOwnSortThreads, 0, own_make_pairs<T, std::int64_t>, in.data,
           static_cast<const std::int64_t*>(nullptr), n, pairs);
  }
  Pair* const tiles = by_tiles ? ctx.scratch<Pair>(n) : nullptr;
  while (by_tiles && n > kTile) {
    const std::int64_t count = kept_of(n, kTile);
    launch(ctx, ceil_div(n, kTile), kOwnSortThreads, 0, own_sort_tiles<Pair, ByOwnKey<Less>>,
           static_cast<const Pair*>(pairs), n, tiles, before);
    launch(ctx, blocks(count), kOwnSortThreads, 0, own_heads_of_tiles<Pair>, static_cast<const Pair*>(tiles),
           kTile, k, count, pairs);
    n = count;
  }
  own_sort_by_merges(ctx, View<const Pair>{pairs, n}, pairs, before);
  launch(ctx, blocks(k), kOwnSortThreads, 0, own_write_first<T>, static_cast<const Pair*>(pairs), first);
}

}  // namespace tandem::detail
