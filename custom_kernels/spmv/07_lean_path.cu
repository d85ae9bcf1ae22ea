// Idea:    the first-level cache and shared memory are one memory, so a tile of the merge path is made small and the matrix is
//          read past the cache: what is left of it keeps x, the one thing that is read again.
// New:     against merge_path, a thread has 7 items for 15. Values, column numbers and offsets are all on their way before the
//          first is used, and requests for them begin where sectors do. A tile says at once what it has of the row that is open
//          at its end, and the tile in which that row ends looks back for it, so the launches behind fall away.
// Expect:  a read of each element, column number and offset and a write of each result, at any lengths, in two launches, or one
//          where a kept analysis says where tiles begin; of x, whose elements are not all read equally often, more hits.
// Limits:  blocks must start in the order of their tiles. The tile in which a row across many ends adds up 32 of them at a time.
//          Only what lies between two ends is added up, whenever it comes, in one order: results repeat.
// Source:  Merrill, Garland 2016, "Merge-based parallel sparse matrix-vector multiplication" and "Single-pass parallel prefix
//          scan with decoupled look-back".

#include "custom_kernels/spmv/detail/path_begins.cuh"
#include "tandem/device/look_back.cuh"

namespace tandem {
namespace {

constexpr int kLeanItems = 7, kLeanBlocks = 5;  // of a thread; of a multiprocessor, at least

/// The products of a tile's elements, and behind them the sums of its rows. Factors come to registers at once, products to
/// memory in wait().
template <class C, int kItems>
struct LeanProducts {
  using T = typename C::T;
  static constexpr int kSector = 32 / sizeof(std::int32_t), kTile = kPathThreads * kItems;
  Shared<T, kTile>& memory;
  const typename C::Args& a;
  std::int64_t first;
  int elements, shift;  // elements since the sector of the first one began
  T values[kItems];
  std::int32_t columns[kItems];

  /// Threads before the first element take those behind the last full request.
  __device__ int index(int k) const {
    const int i = k * kPathThreads + int(threadIdx.x) - shift;
    return k == 0 && i < 0 ? i + kTile : i;
  }
  __device__ bool has(int i) const { return i < elements; }

  __device__ LeanProducts(Shared<T, kTile>& in, const typename C::Args& args, std::int64_t from, int count)
      : memory(in), a(args), first(from), elements(count), shift(int(from % kSector)) {
#pragma unroll
    for (int k = 0; k < kItems; ++k) columns[k] = has(index(k)) ? load_once(a.columns + first + index(k)) : 0;
#pragma unroll
    for (int k = 0; k < kItems; ++k)
      values[k] = has(index(k)) ? load_once(a.values + first + index(k)) : T(0);
  }
  __device__ void wait() {
#pragma unroll
    for (int k = 0; k < kItems; ++k) values[k] *= has(index(k)) ? a.x[columns[k]] : T(0);
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (has(index(k))) memory[index(k)] = values[k];
    }
  }
  __device__ T& operator[](int i) { return memory[i]; }
};

template <class C, int kItems, int kBlocks>
__global__ void __launch_bounds__(kPathThreads, kBlocks)
    lean_path_tile(typename C::Args a, PathBegins begins, Epochs* state,
                   Descriptor<typename C::T>* descriptors) {
  using T = typename C::T;
  __shared__ Shared<T, kPathThreads * kItems> memory;
  start_early();
  const unsigned epoch = state->running();
  const std::int64_t t = blockIdx.x;
  const PathPoint from = begins[t], to = begins[t + 1];
  const int elements = int(to.element - from.element), rows = int(to.segment - from.segment);
  LeanProducts<C, kItems> tile(memory, a, from.element, elements);
  const T open = reduce_path_tile<Plus, T, kItems>(tile, a.rows, from, to);
  if (threadIdx.x < kWarp) {
    // At the first tile, and at those in which a row ends, looking back for the next row ends.
    if (threadIdx.x == 0) descriptors[t].publish(open, 2 * epoch + (rows > 0 || t == 0));
    if (rows > 0) {
      const T before = t > 0 ? look_back<Plus>(descriptors, t, epoch) : T(0);
      if (threadIdx.x == 0) a.store(from.segment, before + tile[elements]);
    }
    if (threadIdx.x == 0) state->finish_block(epoch);
  }
  for (int j = int(threadIdx.x) + 1; j < rows; j += kPathThreads)
    a.store(from.segment + j, tile[elements + j]);
}

template <class C, int kItems = kLeanItems, int kBlocks = kLeanBlocks>
void lean_path(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kTile = kPathThreads * kItems;
  static_assert(kTile % Spmv::kTile == 0);
  const std::int64_t tiles = ceil_div(a.elements + a.rows.count, kTile);
  const PathBegins begins = path_begins<C>(a, kTile, ctx);
  auto* memory = ctx.state<std::byte>("spmv/lean_path", lookback_bytes<T>(tiles));
  launch_early(ctx, tiles, kPathThreads, 0, lean_path_tile<C, kItems, kBlocks>, a, begins,
               reinterpret_cast<Epochs*>(memory), descriptors_in<T>(memory));
}

// Elements of a thread, scans over 256 threads and over 32 tiles, and one addition for each 32 tiles more.
REGISTER(
    Spmv, lean_path,
    .note = "small tiles of the merge path, so that x has the cache; one look-back joins them",
    .depth = [](std::int64_t n) {
      return kLeanItems + 32.0 + static_cast<double>(n) / (kWarp * kPathThreads * kLeanItems);
    })

}  // namespace
}  // namespace tandem
