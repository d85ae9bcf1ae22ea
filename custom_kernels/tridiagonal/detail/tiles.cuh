#pragma once
// What tiles and pivoting_tiles share: how systems are cut into tiles and these into chunks, how a thread gets at
// its chunk, and the tree in which the chunks of a tile meet.

#include <algorithm>
#include <cstring>

#include "lib/ops/tridiagonal/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/warp_exchange.cuh"

namespace tandem {

template <class T>
constexpr int kRows = 64 / sizeof(T);  // of a thread's chunk
constexpr int kFewestChunks = 64;      // of a tile, where there are several
constexpr std::int64_t kFewestRows =
    64;  // shorter systems, of which a block would have one, are for other steps
inline std::string refuse_short(const Tridiagonal::Shape& s) {
  return s.systems.n < kFewestRows ? "takes systems of " + std::to_string(kFewestRows) + " rows or more" : "";
}

/// How systems are cut. Thread t of a block has chunk t / width of its system t % width: one contiguous
/// system, or neighbouring ones.
struct Cut {
  int width, chunks;
  std::int64_t tiles;  // of a system
  /// Threads of a block; those behind the tile have no rows.
  int threads() const { return static_cast<int>(ceil_div(width * chunks, kWarp) * kWarp); }
};
/// Threads of a block whose systems fit one tile.
template <bool kContiguous>
constexpr int kMostThreads = kContiguous ? 256 : 512;
/// Threads of one of several tiles: four small blocks on a multiprocessor hide each other's waits better than
/// two large ones.
template <bool kContiguous>
constexpr int kMostTileThreads = kContiguous ? 128 : 512;

/// Cuts `count` systems of so many chunks; a longer one into enough tiles for two blocks on every multiprocessor.
template <class T, bool kContiguous>
Cut cut_systems(std::int64_t chunks, std::int64_t count, const Context& ctx) {
  constexpr int kWidth = kContiguous ? 1 : 64 / sizeof(T);
  const int width = static_cast<int>(std::min<std::int64_t>(kWidth, count));
  if (chunks <= kMostThreads<kContiguous> / width) return {width, static_cast<int>(chunks), 1};
  const std::int64_t most = kMostTileThreads<kContiguous> / width;
  const std::int64_t groups = ceil_div(count, width), fewest = std::min<std::int64_t>(kFewestChunks, most);
  const std::int64_t tiles =
      std::max(ceil_div(chunks, most),
               std::min(ceil_div(chunks, fewest), ceil_div(2 * ctx.multiprocessors(), groups)));
  const std::int64_t length = ceil_div(chunks, tiles);
  return {width, static_cast<int>(length), ceil_div(chunks, length)};
}

/// The chunks of a tile meet in a tree: up it neighbouring runs are joined, down it what was eliminated where they
/// met, their seam, is solved for. Run and Seam hold elements of type T alone; there are
///   bool join(Run& a, const Run& b, Seam& seam)   a becomes the run of both; false where a pivot is not usable
///   void open(const Seam& seam, Known& left, Known& right)   what is known of both becomes what is known of each
/// Thread t's words lie kWords apart by blockDim.x in dynamic shared memory.
template <class Run, class Seam, class Known>
struct Tree {
  using T = typename Run::Element;
  static constexpr int kRun = sizeof(Run) / sizeof(T), kSeam = sizeof(Seam) / sizeof(T),
                       kKnown = sizeof(Known) / sizeof(T);
  static constexpr int kWords =
      kRun + kSeam;  // of a thread: its run, then the seam that it is the right side of
  static_assert(kKnown <= kRun);
  Cut cut;
  int index;

  /// Called by a block with the runs of its chunks; the first chunk's becomes that of the tile. False where a
  /// pivot is not usable.
  __device__ bool up(Run& mine) const {
    bool all_usable = true;
    for (int distance = 1; distance < cut.chunks; distance *= 2) {
      if (index % (2 * distance) == distance) put(0, static_cast<int>(threadIdx.x), mine);
      meet(distance);
      if (index % (2 * distance) == 0 && index + distance < cut.chunks) {
        const int right = static_cast<int>(threadIdx.x) + distance * cut.width;
        Seam seam;
        all_usable &= join(mine, get<Run>(0, right), seam);
        put(kRun, right, seam);
      }
    }
    return all_usable;
  }
  /// Called by a block, behind up(), with what is known of the tile in threads of the first chunk: every thread
  /// gets what is known of its chunk.
  __device__ void down(Known& mine) const {
    int distance = 1;
    while (distance < cut.chunks) distance *= 2;
    for (distance /= 2; distance > 0; distance /= 2) {
      if (index % (2 * distance) == 0 && index + distance < cut.chunks) {
        const int right = static_cast<int>(threadIdx.x) + distance * cut.width;
        Known behind;
        open(get<Seam>(kRun, right), mine, behind);
        put(0, right, behind);
      }
      meet(distance);
      if (index % (2 * distance) == distance) mine = get<Known>(0, static_cast<int>(threadIdx.x));
    }
  }

 private:
  /// Called by a block, whose runs of `distance` chunks exchange words with their neighbours: by pairs that
  /// lie in one warp where they can.
  __device__ void meet(int distance) const {
    if (kWarp % (2 * distance * cut.width) == 0)
      __syncwarp();
    else
      __syncthreads();
  }
  template <class Words>
  __device__ static void put(int word, int t, const Words& from) {
    constexpr int kCount = sizeof(Words) / sizeof(T);
    auto words = dynamic_shared<T>();
    T values[kCount];
    std::memcpy(values, &from, sizeof values);
#pragma unroll
    for (int k = 0; k < kCount; ++k) words[(word + k) * static_cast<int>(blockDim.x) + t] = values[k];
  }
  template <class Words>
  __device__ static Words get(int word, int t) {
    constexpr int kCount = sizeof(Words) / sizeof(T);
    auto words = dynamic_shared<T>();
    T values[kCount];
#pragma unroll
    for (int k = 0; k < kCount; ++k) values[k] = words[(word + k) * static_cast<int>(blockDim.x) + t];
    Words to;
    std::memcpy(&to, values, sizeof values);
    return to;
  }
};

/// A thread's chunk of a tile. kFirstWord: shared elements of a thread that others use.
template <class C, bool kContiguous, int kFirstWord>
struct Part {
  using T = typename C::T;
  static constexpr int kRows = tandem::kRows<T>;
  using Exchange = WarpExchange<T, kRows>;
  static constexpr int kExchange = kContiguous ? Exchange::kSize / kWarp : 0;  // shared elements of a thread

  const typename C::Args& a;
  int index;  // of the chunk in its tile
  std::int64_t tile, system, first;
  Exchange exchange;

  __device__ Part(const typename C::Args& args, const Cut& cut, std::int64_t block)
      : a(args),
        index(int(threadIdx.x) / cut.width),
        tile(block % cut.tiles),
        system(block / cut.tiles * cut.width + int(threadIdx.x) % cut.width),
        first((tile * cut.chunks + index) * kRows),
        exchange{kFirstWord * int(blockDim.x) + int(threadIdx.x) / kWarp * Exchange::kSize} {}

  /// Row that this thread moves as its k-th: of its chunk, or of its warp's, so that accesses coalesce.
  __device__ std::int64_t row(int k) const {
    if constexpr (!kContiguous) return first + k;
    const int lane = int(threadIdx.x) % kWarp;
    return first - lane * kRows + k * kWarp + lane;
  }

  /// Where the system lies, and the row behind the tile's last; 0 where there is no system. Asked for anew where it
  /// is needed: kept, it would take registers that are short.
  struct Extent {
    std::int64_t matrix, vector, n, end;
  };
  __device__ Extent extent(const Cut& cut) const {
    if (system >= a.count) return {0, 0, 0, 0};
    const auto [m, v, n] = a.locate(system);
    return {m, v, n, min((tile + 1) * cut.chunks * kRows, n)};
  }
  /// Rows of the chunk; those beyond the tile and beyond the system are x = 0.
  __device__ void load(const Cut& cut, T (&lower)[kRows], T (&diag)[kRows], T (&upper)[kRows],
                       T (&rhs)[kRows]) const {
    const auto [m, v, n, end] = extent(cut);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t i = row(k), at = m + i * a.matrix.row;
      lower[k] = i < end && i > 0 ? a.lower[at] : T(0);
      diag[k] = i < end ? a.diag[at] : T(1);
      upper[k] = i < end && i + 1 < n ? a.upper[at] : T(0);
      rhs[k] = i < end ? a.rhs[v + i * a.vector.row] : T(0);
    }
    if constexpr (kContiguous) {
      exchange.striped_to_blocked(lower, lower);
      exchange.striped_to_blocked(diag, diag);
      exchange.striped_to_blocked(upper, upper);
      exchange.striped_to_blocked(rhs, rhs);
    }
  }
  __device__ void store(const Cut& cut, const T (&x)[kRows]) const {
    const auto [m, v, n, end] = extent(cut);
    if constexpr (kContiguous) exchange.store_blocked(x);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t i = row(k);
      if (i < end) a.x[v + i * a.vector.row] = kContiguous ? exchange.striped(k) : x[k];
    }
  }
};

}  // namespace tandem
