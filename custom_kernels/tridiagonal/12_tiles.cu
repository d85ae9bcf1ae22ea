// Idea:    a system of any length is cut into tiles, a block for each. What a tile says about the rest of
//          the system are two equations, between its first and its last unknown and the unknowns next to
//          it. Those of all tiles are a tridiagonal system again, of two rows per tile, which is solved in
//          the same way. Then the neighbours of each tile are known, and it is a system of its own.
// New:     against warp_panels and split, one system keeps the whole GPU busy, however long it is: few and
//          long systems cost what many short ones do.
// Expect:  a system that fits one tile moves 5 words per unknown; a longer one 9, as it is read twice, of
//          which the second reading finds the last tiles, up to the size of L2, on chip. Three launches for
//          up to 4 million rows of contiguous floats, 131,072 of interleaved ones; two more for each
//          further factor of 1,024 or 256.
// Limits:  systems of one length. Deterministic.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; the Schur complement of all rows inside
//          the tiles.

#include <algorithm>

#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/tridiagonal.cuh"
#include "tandem/device/warp_exchange.cuh"

namespace tandem {
namespace {

template <class T>
constexpr int kRows = 64 / sizeof(T);       // of a thread's chunk
constexpr int kFewestChunks = 64;           // of a tile, where there are several
constexpr std::int64_t kFewestSuited = 64;  // rows; shorter systems are for other steps

/// How systems are cut. Thread t of a block has chunk t / width of its system t % width: one contiguous
/// system, or neighbouring ones.
struct Cut {
  int width, chunks;
  std::int64_t tiles;  // of a system
};
/// Threads of a block whose systems fit one tile.
template <bool kContiguous>
constexpr int kMostThreads = kContiguous ? 256 : 512;
/// Threads of one of several tiles: four small blocks on a multiprocessor hide each other's waits better than
/// two large ones.
template <bool kContiguous>
constexpr int kMostTileThreads = kContiguous ? 128 : 512;

/// A longer system is cut into enough tiles for two blocks on every multiprocessor.
template <class C, bool kContiguous>
Cut cut(const typename C::Args& a, const Context& ctx) {
  using T = typename C::T;
  constexpr int kWidth = kContiguous ? 1 : 64 / sizeof(T);
  const int width = int(std::min<std::int64_t>(kWidth, a.count));
  const std::int64_t chunks = ceil_div(a.n, kRows<T>);
  if (chunks <= kMostThreads<kContiguous> / width) return {width, int(chunks), 1};
  const std::int64_t most = kMostTileThreads<kContiguous> / width;
  const std::int64_t groups = ceil_div(a.count, width), fewest = std::min<std::int64_t>(kFewestChunks, most);
  const std::int64_t tiles =
      std::max(ceil_div(chunks, most),
               std::min(ceil_div(chunks, fewest), ceil_div(2 * ctx.multiprocessors(), groups)));
  const std::int64_t length = ceil_div(chunks, tiles);
  return {width, int(length), ceil_div(chunks, length)};
}

/// What a run of rows says about its surroundings:
///   first.lower·(unknown before) + x_first + first.upper·x_last = first.rhs
///   last.lower·x_first + x_last + last.upper·(unknown behind) = last.rhs
template <class T>
struct Ends {
  UnitRow<T> first, last;
};

/// Called by a thread. As divide(), with a reciprocal that is exact to one unit in the last place.
template <class T>
__device__ bool scale(UnitRow<T>& row, T pivot) {
  const T r = reciprocal(pivot);
  row = {row.lower * r, row.upper * r, row.rhs * r};
  return usable(pivot);
}

/// A thread's chunk of rows, and what is left of it when all rows but the first and the last are eliminated.
template <class T, int kRows>
struct Inside {
  T lower[kRows], upper[kRows], rhs[kRows];  // lower[i]·x[0] + x[i] + upper[i]·x[i + 1] = rhs[i] for i > 0

  /// Called by a thread, whose arrays hold the rows. False where a pivot is not usable.
  __device__ bool eliminate(const T (&diag)[kRows], Ends<T>& ends) {
    UnitRow<T> first{lower[0], upper[0], rhs[0]}, row{lower[1], upper[1], rhs[1]};
    T pivot = diag[0];
    bool all_usable = scale(row, diag[1]);
#pragma unroll
    for (int i = 1;; ++i) {
      lower[i] = row.lower, upper[i] = row.upper, rhs[i] = row.rhs;
      if (i + 1 == kRows) break;
      pivot -= first.upper * row.lower;  // row i leaves the equation of x[0], then row i + 1
      first = {first.lower, -first.upper * row.upper, first.rhs - first.upper * row.rhs};
      const T below = diag[i + 1] - lower[i + 1] * row.upper;
      row = {-lower[i + 1] * row.lower, upper[i + 1], rhs[i + 1] - lower[i + 1] * row.rhs};
      all_usable &= scale(row, below);
    }
    all_usable &= scale(first, pivot);
    ends = {first, row};
    return all_usable;
  }
  /// Called by a thread: rhs becomes the solution.
  __device__ void substitute(T first, T last) {
    rhs[0] = first;
    rhs[kRows - 1] = last;
#pragma unroll
    for (int i = kRows - 2; i > 0; --i) {
      last = rhs[i] - lower[i] * first - upper[i] * last;
      rhs[i] = last;
    }
  }
};

/// Where two neighbouring runs became one: a's last unknown by a's first and b's last one, and b's first
/// unknown by a's last and b's last one, each as a row of (lower, itself, upper).
template <class T>
struct Seam {
  UnitRow<T> left, right;
};
/// Called by a thread: `a` becomes the ends of both. False where a pivot is not usable. What was eliminated
/// first is solved for by its own row: by both unknowns' rows at once, as Cramer's rule has it, digits
/// would be lost.
template <class T>
__device__ bool join(Ends<T>& a, const Ends<T>& b, Seam<T>& seam) {
  const UnitRow<T> right = b.first;
  UnitRow<T> left{a.last.lower, -a.last.upper * right.upper, a.last.rhs - a.last.upper * right.rhs};
  bool all_usable = divide(left, T(1) - a.last.upper * right.lower);
  seam = {left, right};
  const UnitRow<T> across{
      -right.lower * left.lower, right.upper - right.lower * left.upper,
      right.rhs - right.lower * left.rhs};  // b's first unknown by a's first and b's last one
  UnitRow<T> first{a.first.lower, -a.first.upper * left.upper, a.first.rhs - a.first.upper * left.rhs};
  UnitRow<T> last{-b.last.lower * across.lower, b.last.upper, b.last.rhs - b.last.lower * across.rhs};
  all_usable &= divide(first, T(1) - a.first.upper * left.lower);
  all_usable &= divide(last, T(1) - b.last.lower * across.upper);
  a = {first, last};
  return all_usable;
}

/// The chunks of a tile meet in a tree: up it neighbouring runs are joined, down it their seams are solved
/// for. Thread t's words lie kWords apart by blockDim.x in dynamic shared memory.
template <class T>
struct Tree {
  static constexpr int kWords = 12;  // of a thread: its ends, then the seam that it is the right side of
  Cut cut;
  int index;

  /// Called by a block with the ends of its chunks; the first chunk's become those of the tile. False where a
  /// pivot is not usable.
  __device__ bool up(Ends<T>& mine) const {
    bool all_usable = true;
    for (int distance = 1; distance < cut.chunks; distance *= 2) {
      if (index % (2 * distance) == distance) put(0, int(threadIdx.x), mine.first, mine.last);
      meet(distance);
      if (index % (2 * distance) == 0 && index + distance < cut.chunks) {
        const int right = int(threadIdx.x) + distance * cut.width;
        Seam<T> seam;
        all_usable &= join(mine, Ends<T>{get(0, right), get(3, right)}, seam);
        put(6, right, seam.left, seam.right);
      }
    }
    return all_usable;
  }
  /// Called by a block, behind up(), with the first and the last unknown of the tile in threads of the
  /// first chunk: every thread gets those of its chunk.
  __device__ void down(T& first, T& last) const {
    auto words = dynamic_shared<T>();
    const int threads = int(blockDim.x), t = int(threadIdx.x);
    int distance = 1;
    while (distance < cut.chunks) distance *= 2;
    for (distance /= 2; distance > 0; distance /= 2) {
      if (index % (2 * distance) == 0 && index + distance < cut.chunks) {
        const int right = t + distance * cut.width;
        const UnitRow<T> a = get(6, right), b = get(9, right);
        const T x = a.rhs - a.lower * first - a.upper * last;
        words[right] = b.rhs - b.lower * x - b.upper * last;
        words[threads + right] = last;
        last = x;
      }
      meet(distance);
      if (index % (2 * distance) == distance) first = words[t], last = words[threads + t];
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
  __device__ static void put(int word, int t, const UnitRow<T>& one, const UnitRow<T>& other) {
    auto words = dynamic_shared<T>();
    const T values[] = {one.lower, one.upper, one.rhs, other.lower, other.upper, other.rhs};
#pragma unroll
    for (int k = 0; k < 6; ++k) words[(word + k) * int(blockDim.x) + t] = values[k];
  }
  __device__ static UnitRow<T> get(int word, int t) {
    auto words = dynamic_shared<T>();
    const int threads = int(blockDim.x);
    return {words[word * threads + t], words[(word + 1) * threads + t], words[(word + 2) * threads + t]};
  }
};

/// A thread's chunk of a tile.
template <class C, bool kContiguous>
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
        exchange{Tree<T>::kWords * int(blockDim.x) + int(threadIdx.x) / kWarp * Exchange::kSize} {}

  /// Row that this thread moves as its k-th: of its chunk, or of its warp's, so that accesses coalesce.
  __device__ std::int64_t row(int k) const {
    if constexpr (!kContiguous) return first + k;
    const int lane = int(threadIdx.x) % kWarp;
    return first - lane * kRows + k * kWarp + lane;
  }

  /// The row behind the tile's last; 0 where there is no system. Asked for anew where it is needed: kept, it
  /// would take registers that are short.
  __device__ std::int64_t end_of_tile(const Cut& cut) const {
    return system < a.count ? min((tile + 1) * cut.chunks * kRows, a.n) : 0;
  }
  /// Rows of the chunk; those beyond the tile and beyond the system are x = 0.
  __device__ void load(const Cut& cut, T (&lower)[kRows], T (&diag)[kRows], T (&upper)[kRows],
                       T (&rhs)[kRows]) const {
    const std::int64_t end = end_of_tile(cut);
    const std::int64_t m = end ? a.start(a.matrix, system) : 0, v = end ? a.start(a.vector, system) : 0;
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t i = row(k), at = m + i * a.matrix.row;
      lower[k] = i < end && i > 0 ? a.lower[at] : T(0);
      diag[k] = i < end ? a.diag[at] : T(1);
      upper[k] = i < end && i + 1 < a.n ? a.upper[at] : T(0);
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
    const std::int64_t end = end_of_tile(cut);
    const std::int64_t v = end ? a.start(a.vector, system) : 0;
    if constexpr (kContiguous) exchange.store_blocked(x);
#pragma unroll
    for (int k = 0; k < kRows; ++k) {
      const std::int64_t i = row(k);
      if (i < end) a.x[v + i * a.vector.row] = kContiguous ? exchange.striped(k) : x[k];
    }
  }
  /// A pivot of the chunk was not usable. `all`: the arguments of the call, of which `a` may be the ends of
  /// tiles. To find the row takes all rows of the system, so one thread's report will do.
  __device__ void report(const typename C::Args& all) const {
    if (system < a.count && !pivot_reported(all, system)) report_first_pivot(all, system, 0);
  }
};

/// The ends of each tile, as rows 2·tile and 2·tile + 1 of `ends`.
template <class C, bool kContiguous>
__global__ void __launch_bounds__(kMostThreads<kContiguous>)
    ends_of_tiles(typename C::Args a, Cut cut, typename C::Args ends, typename C::Args all) {
  using T = typename C::T;
  const Part<C, kContiguous> part(a, cut, blockIdx.x);
  Inside<T, kRows<T>> inside;
  T diag[kRows<T>];
  part.load(cut, inside.lower, diag, inside.upper, inside.rhs);
  Ends<T> mine;
  bool all_usable = inside.eliminate(diag, mine);
  all_usable &= Tree<T>{cut, part.index}.up(mine);
  if (part.index == 0 && part.system < a.count) {
    const std::int64_t at = ends.start(ends.matrix, part.system) + 2 * part.tile * ends.matrix.row;
    const auto write = [&](std::int64_t to, const UnitRow<T>& row) {
      const_cast<T*>(ends.lower)[to] = row.lower;
      const_cast<T*>(ends.diag)[to] = 1;
      const_cast<T*>(ends.upper)[to] = row.upper;
      ends.x[to] = row.rhs;
    };
    write(at, mine.first);
    write(at + ends.matrix.row, mine.last);
  }
  if (!all_usable) part.report(all);
}

/// Solves each tile: where there are several, `ends` holds its first and its last unknown. The last tile
/// comes first: it was read last, and may still be in L2.
template <class C, bool kContiguous>
__global__ void __launch_bounds__(kMostThreads<kContiguous>)
    solve_tiles(typename C::Args a, Cut cut, typename C::Args ends, typename C::Args all) {
  using T = typename C::T;
  const Part<C, kContiguous> part(a, cut, gridDim.x - 1 - blockIdx.x);
  Inside<T, kRows<T>> inside;
  T diag[kRows<T>];
  part.load(cut, inside.lower, diag, inside.upper, inside.rhs);
  Ends<T> mine;
  bool all_usable = inside.eliminate(diag, mine);
  const Tree<T> tree{cut, part.index};
  all_usable &= tree.up(mine);
  T first = 0, last = 0;
  if (part.index == 0 && part.system < a.count) {
    if (cut.tiles > 1) {
      const T* known = ends.x + ends.start(ends.vector, part.system) + 2 * part.tile * ends.vector.row;
      first = known[0], last = known[ends.vector.row];
    } else {
      const T pivot = T(1) - mine.first.upper * mine.last.lower;
      all_usable &= usable(pivot);
      first = (mine.first.rhs - mine.first.upper * mine.last.rhs) / pivot;
      last = mine.last.rhs - mine.last.lower * first;
    }
  }
  tree.down(first, last);
  inside.substitute(first, last);
  part.store(cut, inside.rhs);
  if (!all_usable) part.report(all);
}

template <class C, bool kContiguous>
void solve(const typename C::Args& a, Context& ctx, const typename C::Args& all) {
  using T = typename C::T;
  const Cut cut = tandem::cut<C, kContiguous>(a, ctx);
  const int threads =
      int(ceil_div(cut.width * cut.chunks, kWarp) * kWarp);  // those behind the tile have no rows
  const std::int64_t blocks = ceil_div(a.count, cut.width) * cut.tiles;
  const std::size_t shared =
      std::size_t(threads) * (Tree<T>::kWords + Part<C, kContiguous>::kExchange) * sizeof(T);
  typename C::Args ends = a;
  if (cut.tiles > 1) {
    const std::int64_t rows = 2 * cut.tiles, size = rows * a.count;
    T* const memory = ctx.scratch<T>(4 * size);
    const Tridiagonal::Strides strides =
        kContiguous ? Tridiagonal::Strides{1, rows, 0} : Tridiagonal::Strides{a.count, 1, 0};
    ends = {memory,  memory + size, memory + 2 * size, memory + 3 * size, memory + 3 * size, rows,
            a.count, a.count,       strides,           strides,           a.status};
    launch(ctx, blocks, threads, shared, ends_of_tiles<C, kContiguous>, a, cut, ends, all);
    solve<C, kContiguous>(ends, ctx, all);
  }
  launch(ctx, blocks, threads, shared, solve_tiles<C, kContiguous>, a, cut, ends, all);
}

template <class C>
void tiles(const typename C::Args& a, Context& ctx) {
  if (a.matrix.row == 1 && a.vector.row == 1)
    solve<C, true>(a, ctx, a);
  else
    solve<C, false>(a, ctx, a);
}

REGISTER(
    Tridiagonal, tiles, .note = "long systems: tiles, the equations between them, and the tiles again",
    .refuses = Tridiagonal::refuse_list_and_pivot,
    .suits = [](const Tridiagonal::Shape& s) { return s.systems.n >= kFewestSuited; })

}  // namespace
}  // namespace tandem
