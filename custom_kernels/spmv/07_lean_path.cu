// Idea:    the first-level cache and shared memory are one memory, so a tile of the merge path is made small and the matrix is
//          read past the cache: what is left of it keeps x, the one thing that is read again.
// New:     against merge_path, a thread has 7 items of a tile for 15. A block has up to 16 tiles, one behind the other: while it
//          adds up one, values and column numbers of the next are on their way, in requests that begin where sectors do. Of its
//          share a block says what it has of the row that is open at the end, and the one in which that row ends looks back for
//          it, so the launches behind fall away.
// Expect:  a read of each element, column number and offset and a write of each result, at any lengths, in two launches, or one
//          where a kept analysis says where tiles begin; of x, whose elements are not all read equally often, more hits.
// Limits:  blocks must start in the order of their tiles. The block in which a row across many ends adds up 32 of them at a time.
//          Only what lies between two ends is added up, whenever it comes, in one order: results repeat.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication" and "Single-pass parallel prefix
//          scan with decoupled look-back".

#include "custom_kernels/spmv/detail/path_begins.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

constexpr int kLeanItems = 7;   // of a thread, in a tile
constexpr int kLeanBlocks = 4;  // of a multiprocessor at once, at least
constexpr int kLeanWaves = 2;   // so many blocks for each of those, where tiles suffice
constexpr int kMostTiles = 16;  // of a block

/// The products of a tile's elements, and behind them the sums of its rows. Factors come to registers, products to memory in
/// wait(), behind which those of the next tile are on their way.
template <class C, int kItems>
struct LeanProducts {
  using T = typename C::T;
  static constexpr int kSector = 32 / sizeof(std::int32_t), kTile = kPathThreads * kItems;
  Shared<T, kTile>& memory;
  const typename C::Args& a;
  PathPoint next, behind_next;
  int shift, elements;  // elements since the sector of the first one began
  T values[kItems], factors[kItems];
  typename C::ColumnNumber columns[kItems];

  __device__ LeanProducts(Shared<T, kTile>& of_block, const typename C::Args& args)
      : memory(of_block), a(args) {}
  /// Threads before the first element take those behind the last full request.
  __device__ int index(int k) const {
    const int i = k * kPathThreads + int(threadIdx.x) - shift;
    return k == 0 && i < 0 ? i + kTile : i;
  }
  __device__ bool has(int k) const { return index(k) < elements; }

  /// Starts to load the elements between two points.
  __device__ void load(const PathPoint& from, const PathPoint& to) {
    shift = int(from.element % kSector), elements = int(to.element - from.element);
#pragma unroll
    for (int k = 0; k < kItems; ++k) columns[k] = has(k) ? load_once(a.columns + from.element + index(k)) : 0;
#pragma unroll
    for (int k = 0; k < kItems; ++k)
      values[k] = has(k) ? load_once(a.values + from.element + index(k)) : T(0);
  }
  /// Starts to load x.
  __device__ void load_factors() {
#pragma unroll
    for (int k = 0; k < kItems; ++k) factors[k] = has(k) ? a.x[columns[k]] : T(0);
  }
  __device__ void wait() {
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (has(k)) memory[index(k)] = values[k] * factors[k];
    }
    load(next, behind_next);
  }
  __device__ T& operator[](int i) { return memory[i]; }
};

template <class C, int kItems, int kBlocks>
__global__ void __launch_bounds__(kPathThreads, kBlocks)
    lean_path_share(typename C::Args a, PathBegins begins, int tiles, Epochs* state,
                    Descriptor<typename C::T>* descriptors) {
  using T = typename C::T;
  __shared__ Shared<T, kPathThreads * kItems> memory;
  __shared__ Shared<PathPoint, kMostTiles + 1> points;
  start_early();
  const unsigned epoch = state->running();
  const std::int64_t share = blockIdx.x;
  if (int(threadIdx.x) <= tiles) points[threadIdx.x] = begins[share * tiles + threadIdx.x];
  __syncthreads();

  LeanProducts<C, kItems> tile(memory, a);
  tile.load(points[0], points[1]);
  T carried = 0, head = 0;  // of the row that is open; of the one that ends first
  std::int64_t first_row = -1;
  for (int i = 0; i < tiles; ++i) {
    const PathPoint from = points[i], to = points[i + 1];
    const int elements = int(to.element - from.element), rows = int(to.segment - from.segment);
    tile.next = to, tile.behind_next = points[min(i + 2, tiles)];
    tile.load_factors();
    const auto sum_of = [&](int j) -> T& { return tile[elements + j]; };
    const T open = reduce_path_tile<Plus, T, kItems>(tile, sum_of, a.rows, from, to);
    for (int j = threadIdx.x; j < rows; j += kPathThreads) {
      const T sum = j == 0 ? carried + tile[elements] : tile[elements + j];
      if (j == 0 && first_row < 0)
        head = sum;
      else
        a.store(from.segment + j, sum);
    }
    if (rows > 0 && first_row < 0) first_row = from.segment;
    carried = rows > 0 ? open : carried + open;
  }

  if (threadIdx.x >= kWarp) return;
  // Looking back for a row ends at the first share, or where another row ends.
  if (threadIdx.x == 0) descriptors[share].publish(carried, 2 * epoch + (first_row >= 0 || share == 0));
  if (first_row >= 0) {
    const T before = share > 0 ? look_back<Plus>(descriptors, share, epoch) : T(0);
    if (threadIdx.x == 0) a.store(first_row, before + head);
  }
  if (threadIdx.x == 0) state->finish_block(epoch);
}

template <class C, int kItems = kLeanItems, int kBlocks = kLeanBlocks, int kWaves = kLeanWaves>
void lean_path(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  constexpr int kTile = kPathThreads * kItems;
  static_assert(kTile % Spmv::kTile == 0);
  const std::int64_t all = ceil_div(given.elements + given.rows.count, kTile);
  const int tiles =
      int(std::clamp<std::int64_t>(all / (kWaves * kBlocks * ctx.multiprocessors()), 1, kMostTiles));
  const std::int64_t shares = ceil_div(all, tiles);
  const PathBegins begins = path_begins<C>(given, kTile, ctx);
  auto* memory = ctx.state<std::byte>("spmv/lean_path", lookback_bytes<T>(shares));
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    launch_early(ctx, shares, kPathThreads, 0, lean_path_share<K, kItems, kBlocks>, a, begins, tiles,
                 reinterpret_cast<Epochs*>(memory), descriptors_in<T>(memory));
  });
}

// Elements of a thread, scans over 256 threads, a block's tiles and 32 shares, and one addition for each 32 shares more.
REGISTER(
    Spmv, lean_path,
    .note = "small tiles of the merge path, so that x has the cache; one look-back joins them",
    .depth = [](std::int64_t n) {
      return kLeanItems + 32.0 + kMostTiles + static_cast<double>(n) / (kWarp * kPathThreads * kLeanItems);
    })

}  // namespace
}  // namespace tandem
