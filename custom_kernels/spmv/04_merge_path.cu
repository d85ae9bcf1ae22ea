// Idea:    a block takes an equal share of the merge path, on which each row costs its elements and one item more. Products
//          go to shared memory; from there they are segments, and segmented_reduce's step of this name does the rest.
// New:     against warp_per_row, lengths do not matter: a block holds a part of one full row or thousands of empty ones. All
//          threads of a block load neighbouring elements, whatever rows they belong to.
// Expect:  a read of each element, column number and offset and a write of each result, at any lengths; a seventh less where
//          rows have one element. x is read as often as the caches miss it.
// Limits:  four launches, or three where a kept analysis says where tiles begin. The row that ends first in a tile is written by
//          the last of them, once all that other tiles have of it is there, so that α multiplies whole sums and y is read
//          once. All orders are fixed: results repeat.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication".

#include "custom_kernels/spmv/detail/path_begins.cuh"

namespace tandem {
namespace {

/// The products of a tile's elements, and behind them the sums of its rows.
template <class C>
struct Products {
  using T = typename C::T;
  Shared<T, kPathTile>& memory;

  __device__ Products(Shared<T, kPathTile>& in, const typename C::Args& a, std::int64_t first, int elements)
      : memory(in) {
#pragma unroll
    for (int k = 0; k < kPathItems; ++k) {
      const int i = k * kPathThreads + int(threadIdx.x);
      if (i < elements) memory[i] = a.product(first + i);
    }
  }
  __device__ void wait() {}
  __device__ T& operator[](int i) { return memory[i]; }
};

template <class C>
__global__ void __launch_bounds__(kPathThreads)
    sum_tile(typename C::Args a, PathBegins begins, Carry<typename C::T>* carries, typename C::T* heads) {
  using T = typename C::T;
  __shared__ Shared<T, kPathTile> memory;
  start_early();
  const PathPoint from = begins[blockIdx.x], to = begins[blockIdx.x + 1];
  const int elements = int(to.element - from.element), rows = int(to.segment - from.segment);
  Products<C> tile(memory, a, from.element, elements);
  const auto sum_of = [&](int j) -> T& { return tile[elements + j]; };
  const T open = reduce_path_tile<Plus, T>(tile, sum_of, a.rows, from, to);
  for (int j = threadIdx.x; j < rows; j += kPathThreads) {
    if (j == 0)
      heads[blockIdx.x] = sum_of(0);
    else
      a.store(from.segment + j, sum_of(j));
  }
  if (threadIdx.x == 0) carries[blockIdx.x] = {open, blockIdx.x, rows > 0};
}

/// Thread t writes the row that ends first in tile t.
template <class C>
__global__ void __launch_bounds__(kPathThreads)
    store_heads(typename C::Args a, PathBegins begins, std::int64_t tiles, const typename C::T* heads) {
  start_early();
  const std::int64_t t = std::int64_t(blockIdx.x) * kPathThreads + threadIdx.x;
  if (t < tiles && begins[t].segment < begins[t + 1].segment) a.store(begins[t].segment, heads[t]);
}

template <class C>
void merge_path(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  const std::int64_t tiles = ceil_div(given.elements + given.rows.count, kPathTile);
  const PathBegins begins = path_begins<C>(given, kPathTile, ctx);
  auto* carries = ctx.scratch<Carry<T>>(tiles);
  T* heads = ctx.scratch<T>(tiles);
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch_early(ctx, tiles, kPathThreads, 0, sum_tile<K>, a, begins, carries, heads);
  });
  join_levels<Plus, T>(carries, tiles, heads, ctx);
  launch_early(ctx, ceil_div(tiles, kPathThreads), kPathThreads, 0, store_heads<C>, given, begins, tiles,
               static_cast<const T*>(heads));
}

// 15 elements of a thread, a scan over 256 threads, and one over 256 carries for each level.
REGISTER(
    Spmv, merge_path, .note = "blocks take equal shares of elements and rows",
    .depth = [](std::int64_t) { return 15.0 + 5 * 16; })

}  // namespace
}  // namespace tandem
