// Idea:    tiles in which rows may be exchanged. All columns inside a run of rows have their elements in these
//          rows alone, so the unknowns between its first and its last one can be eliminated with partial
//          pivoting, whatever lies around the run; were that impossible, the matrix would be singular. Two
//          equations are left, between the run's first and last unknown and the unknowns next to it.
// New:     against tiles, those two equations are in no order and hold four unknowns each, so they are no
//          tridiagonal system: further levels join runs, not rows. Against pivoting, one system keeps the whole GPU
//          busy.
// Expect:  9 words per unknown, as tiles, and ten times its arithmetic. Three launches for systems of one level
//          of tiles; two more for each further factor of 128.
// Limits:  lists as in tiles. The unknowns at the ends of a run stay in all of its rows, so elements grow more
//          than in LAPACK's order, though by no more than Gaussian elimination with partial pivoting allows.
//          Deterministic.
// Source:  nested dissection (George 1973) of a line; Hegland 1991, "On the parallel solution of tridiagonal systems
//          by wrap-around partitioning and incomplete LU factorization".

#include "custom_kernels/tridiagonal/detail/tiles.cuh"
#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/tridiagonal.cuh"

namespace tandem {
namespace {

/// An equation of a run: before·(unknown before) + first·x_first + last·x_last + behind·(unknown behind) = rhs.
template <class T>
struct Equation {
  T before, first, last, behind, rhs;
};
/// What a run of rows says about its surroundings.
template <class T>
struct Run {
  using Element = T;
  Equation<T> one, other;
};
/// The unknown before a run, its first, its last, and the one behind it.
template <class T>
struct Known {
  T before, first, last, behind;
};

/// A thread's chunk of rows, and what is left of it when all unknowns but the first and the last are eliminated.
template <class T, int kRows>
struct Inside {
  // The rows. From eliminate() on, for 0 < i < kRows − 1,
  // x[i] + next[i]·x[i+1] + second[i]·x[i+2] + before[i]·(unknown before) + first[i]·x[0] = rhs[i].
  T lower[kRows], diag[kRows], upper[kRows], rhs[kRows];
  T next[kRows], second[kRows], before[kRows], first[kRows];

  /// Called by a thread. False where a pivot is not usable.
  __device__ bool eliminate(Run<T>& run) {
    // Columns: x[i], x[i+1], x[i+2], the unknown before, x[0]; and the right-hand side. The third row enters.
    T rows[3][6] = {{upper[0], 0, 0, lower[0], diag[0], rhs[0]}, {diag[1], upper[1], 0, 0, lower[1], rhs[1]}};
    bool all_usable = true;
#pragma unroll
    for (int i = 1; i + 1 < kRows; ++i) {
      const T entering[] = {lower[i + 1], diag[i + 1], upper[i + 1], 0, 0, rhs[i + 1]};
#pragma unroll
      for (int j = 0; j < 6; ++j) rows[2][j] = entering[j];
      all_usable &= tandem::eliminate<0>(rows);
      next[i] = rows[0][1], second[i] = rows[0][2], before[i] = rows[0][3], first[i] = rows[0][4];
      rhs[i] = rows[0][5];
#pragma unroll
      for (int k = 0; k < 2; ++k) {
        const T(&from)[6] = rows[k + 1];
        const T left[] = {from[1], from[2], 0, from[3], from[4], from[5]};
#pragma unroll
        for (int j = 0; j < 6; ++j) rows[k][j] = left[j];
      }
    }
    const auto equation = [](const T(&r)[6]) -> Equation<T> { return {r[3], r[4], r[0], r[1], r[5]}; };
    run = {equation(rows[0]), equation(rows[1])};
    return all_usable;
  }
  /// Called by a thread: rhs becomes the solution.
  __device__ void substitute(const Known<T>& known) {
    rhs[0] = known.first, rhs[kRows - 1] = known.last;
    T after = known.last, after_next = known.behind;
#pragma unroll
    for (int i = kRows - 2; i > 0; --i) {
      const T x = rhs[i] - before[i] * known.before - first[i] * known.first - next[i] * after -
                  second[i] * after_next;
      rhs[i] = x;
      after_next = after, after = x;
    }
  }
};

/// Where two neighbouring runs became one: a's last unknown and b's first one by those that are left.
template <class T>
struct Seam {
  T across;  // of b's first unknown in the equation of a's last
  Equation<T> left, right;
};
/// Called by a thread.
template <class T>
__device__ bool join(Run<T>& a, const Run<T>& b, Seam<T>& seam) {
  // Columns: a's last unknown, b's first; then those of the joined run.
  const auto of_a = [](const Equation<T>& e, T(&row)[7]) {
    const T values[] = {e.last, e.behind, e.before, e.first, 0, 0, e.rhs};
#pragma unroll
    for (int j = 0; j < 7; ++j) row[j] = values[j];
  };
  const auto of_b = [](const Equation<T>& e, T(&row)[7]) {
    const T values[] = {e.before, e.first, 0, 0, e.last, e.behind, e.rhs};
#pragma unroll
    for (int j = 0; j < 7; ++j) row[j] = values[j];
  };
  T rows[4][7];
  of_a(a.one, rows[0]), of_a(a.other, rows[1]), of_b(b.one, rows[2]), of_b(b.other, rows[3]);
  const bool first_usable = eliminate<0>(rows), second_usable = eliminate<1>(rows);
  const auto equation = [](const T(&r)[7]) -> Equation<T> { return {r[2], r[3], r[4], r[5], r[6]}; };
  seam = {rows[0][1], equation(rows[0]), equation(rows[1])};
  a = {equation(rows[2]), equation(rows[3])};
  return first_usable && second_usable;
}
/// Called by a thread.
template <class T>
__device__ void open(const Seam<T>& seam, Known<T>& left, Known<T>& right) {
  const auto solve = [&](const Equation<T>& e) {
    return e.rhs - e.before * left.before - e.first * left.first - e.last * right.last -
           e.behind * right.behind;
  };
  right.last = left.last, right.behind = left.behind;
  right.first = solve(seam.right);
  right.before = solve(seam.left) - seam.across * right.first;
  left.last = right.before, left.behind = right.first;
}
/// Called by a thread: the unknowns of a run around which there are none. False where a pivot is not usable.
template <class T>
__device__ bool solve_alone(const Run<T>& run, Known<T>& known) {
  T rows[2][3] = {{run.one.first, run.one.last, run.one.rhs},
                  {run.other.first, run.other.last, run.other.rhs}};
  const bool first_usable = eliminate<0>(rows), second_usable = eliminate<1>(rows);
  known = {0, rows[0][2] - rows[0][1] * rows[1][2], rows[1][2], 0};
  return first_usable && second_usable;
}

template <class T>
using RunTree = Tree<Run<T>, Seam<T>, Known<T>>;

/// The leaves of the first level's tiles: chunks of rows. As a kernel's argument it says where they lie; in a block
/// it makes a thread's leaf.
template <class C, bool kContiguous>
struct Rows {
  using T = typename C::T;
  using Place = Part<C, kContiguous, RunTree<T>::kWords>;
  static constexpr int kWords = RunTree<T>::kWords + Place::kExchange, kThreads = kMostThreads<kContiguous>;
  typename C::Args a;

  struct Leaf : Place {
    Inside<T, kRows<T>> inside;
    __device__ Leaf(const Rows& rows, const Cut& cut, std::int64_t block) : Place(rows.a, cut, block) {
      Place::load(cut, inside.lower, inside.diag, inside.upper, inside.rhs);
    }
    __device__ bool run(Run<T>& mine) { return inside.eliminate(mine); }
    __device__ void finish(const Cut& cut, const Known<T>& known) {
      inside.substitute(known);
      Place::store(cut, inside.rhs);
    }
  };
};

/// Runs of tiles in scratch memory, and the unknowns at their ends: element w of tile t of system s lies at
/// (w · tiles + t) · count + s.
template <class C>
struct Runs {
  using T = typename C::T;
  static constexpr int kRun = RunTree<T>::kRun, kWords = RunTree<T>::kWords, kThreads = kMostThreads<false>;
  T *runs, *ends;  // kRun elements of each tile, and two
  std::int64_t tiles, count;

  __device__ T& run(int w, std::int64_t tile, std::int64_t system) const {
    return runs[(w * tiles + tile) * count + system];
  }
  __device__ T& end(int w, std::int64_t tile, std::int64_t system) const {
    return ends[(w * tiles + tile) * count + system];
  }
  __device__ void write(std::int64_t tile, std::int64_t system, const Run<T>& from) const {
    T words[kRun];
    std::memcpy(words, &from, sizeof words);
#pragma unroll
    for (int w = 0; w < kRun; ++w) run(w, tile, system) = words[w];
  }
  /// What is known of a tile.
  __device__ Known<T> known(std::int64_t tile, std::int64_t system) const {
    return {tile > 0 ? end(1, tile - 1, system) : T(0), end(0, tile, system), end(1, tile, system),
            tile + 1 < tiles ? end(0, tile + 1, system) : T(0)};
  }

  /// A run of the level below, as a leaf of this level's tiles; behind the last one x = 0.
  struct Leaf {
    const Runs& all;
    int index;
    std::int64_t tile, system, below;
    __device__ Leaf(const Runs& runs, const Cut& cut, std::int64_t block)
        : all(runs),
          index(int(threadIdx.x) / cut.width),
          tile(block % cut.tiles),
          system(block / cut.tiles * cut.width + int(threadIdx.x) % cut.width),
          below(tile * cut.chunks + index) {}
    __device__ bool there() const { return system < all.count && below < all.tiles; }
    __device__ bool run(Run<T>& mine) const {
      mine = {{0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}};
      if (!there()) return true;
      T words[kRun];
#pragma unroll
      for (int w = 0; w < kRun; ++w) words[w] = all.run(w, below, system);
      std::memcpy(&mine, words, sizeof words);
      return true;
    }
    __device__ void finish(const Cut& cut, const Known<T>& known) const {
      if (!there() || index >= cut.chunks) return;
      all.end(0, below, system) = known.first;
      all.end(1, below, system) = known.last;
    }
  };
};

/// A pivot of a thread's leaf was not usable. To find the row takes all rows of the system, so one thread's report
/// will do.
template <class Leaf, class Args>
__device__ void report(const Leaf& leaf, const Args& a) {
  if (leaf.system < a.count && !pivot_reported(a, leaf.system))
    report_first_exchanged_pivot(a, leaf.system, 0);
}

/// The run of each tile.
template <class Level, class C>
__global__ void __launch_bounds__(Level::kThreads)
    runs_of_tiles(Level level, Cut cut, Runs<C> above, typename C::Args a) {
  typename Level::Leaf leaf(level, cut, blockIdx.x);
  Run<typename C::T> mine;
  bool all_usable = leaf.run(mine);
  all_usable &= RunTree<typename C::T>{cut, leaf.index}.up(mine);
  if (leaf.index == 0 && leaf.system < a.count) above.write(leaf.tile, leaf.system, mine);
  if (!all_usable) report(leaf, a);
}

/// Solves each tile, of which `above` knows the ends where there are several. The last tile comes first: it was read
/// last, and may still be in L2.
template <class Level, class C>
__global__ void __launch_bounds__(Level::kThreads)
    solve_tiles(Level level, Cut cut, Runs<C> above, typename C::Args a) {
  using T = typename C::T;
  typename Level::Leaf leaf(level, cut, gridDim.x - 1 - blockIdx.x);
  Run<T> mine;
  bool all_usable = leaf.run(mine);
  const RunTree<T> tree{cut, leaf.index};
  all_usable &= tree.up(mine);
  Known<T> known{};
  if (leaf.index == 0 && leaf.system < a.count) {
    if (cut.tiles > 1)
      known = above.known(leaf.tile, leaf.system);
    else
      all_usable &= solve_alone(mine, known);
  }
  tree.down(known);
  leaf.finish(cut, known);
  if (!all_usable) report(leaf, a);
}

/// Solves for the ends of `leaves` leaves of each system, and inside them.
template <class C, bool kContiguous, class Level>
void solve(const Level& level, std::int64_t leaves, const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const Cut cut = cut_systems<T, kContiguous>(leaves, a.count, ctx);
  const std::int64_t blocks = ceil_div(a.count, cut.width) * cut.tiles;
  const std::size_t shared = std::size_t(cut.threads()) * Level::kWords * sizeof(T);
  Runs<C> above{};
  if (cut.tiles > 1) {
    const std::int64_t size = cut.tiles * a.count;
    T* const memory = ctx.scratch<T>((Runs<C>::kRun + 2) * size);
    above = {memory, memory + Runs<C>::kRun * size, cut.tiles, a.count};
    launch(ctx, blocks, cut.threads(), shared, runs_of_tiles<Level, C>, level, cut, above, a);
    solve<C, false>(above, cut.tiles, a, ctx);
  }
  launch(ctx, blocks, cut.threads(), shared, solve_tiles<Level, C>, level, cut, above, a);
}

template <class C>
void pivoting_tiles(const typename C::Args& a, Context& ctx) {
  const std::int64_t chunks = ceil_div(a.n, kRows<typename C::T>);
  if (a.matrix.row == 1 && a.vector.row == 1)
    solve<C, true>(Rows<C, true>{a}, chunks, a, ctx);
  else
    solve<C, false>(Rows<C, false>{a}, chunks, a, ctx);
}

REGISTER(
    Tridiagonal, pivoting_tiles, .note = "long systems: tiles, in which rows are exchanged",
    .refuses = [](const Tridiagonal::Shape& s, CaseId) { return refuse_short(s); })

}  // namespace
}  // namespace tandem
