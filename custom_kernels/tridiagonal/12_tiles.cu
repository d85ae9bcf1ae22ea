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
// Limits:  in a list every system is cut like the longest one, and blocks behind a shorter one's end find nothing to do.
//          Deterministic.
// Source:  Wang 1981, "A parallel method for tridiagonal equations"; the Schur complement of all rows inside
//          the tiles.

#include "custom_kernels/tridiagonal/detail/tiles.cuh"
#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/device/tridiagonal.cuh"

namespace tandem {
namespace {

/// What a run of rows says about its surroundings:
///   first.lower·(unknown before) + x_first + first.upper·x_last = first.rhs
///   last.lower·x_first + x_last + last.upper·(unknown behind) = last.rhs
template <class T>
struct Ends {
  using Element = T;
  UnitRow<T> first, last;
};
/// The first and the last unknown of a run.
template <class T>
struct Known {
  T first, last;
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
/// Called by a thread.
template <class T>
__device__ void open(const Seam<T>& seam, Known<T>& left, Known<T>& right) {
  right.last = left.last;
  left.last = seam.left.rhs - seam.left.lower * left.first - seam.left.upper * right.last;
  right.first = seam.right.rhs - seam.right.lower * left.last - seam.right.upper * right.last;
}

template <class T>
using EndsTree = Tree<Ends<T>, Seam<T>, Known<T>>;
template <class C, bool kContiguous>
using PartOfTile = Part<C, kContiguous, EndsTree<typename C::T>::kWords>;

/// A pivot of a thread's part was not usable. `all`: the arguments of the call, of which part.a may be the ends of
/// tiles. To find the row takes all rows of the system, so one thread's report will do.
template <class P, class Args>
__device__ void report(const P& part, const Args& all) {
  if (part.system < all.count && !pivot_reported(all, part.system)) report_first_pivot(all, part.system, 0);
}

/// The ends of each tile, as rows 2·tile and 2·tile + 1 of `ends`.
template <class C, bool kContiguous>
__global__ void __launch_bounds__(kMostThreads<kContiguous>)
    ends_of_tiles(typename C::Args a, Cut cut, typename C::Args ends, typename C::Args all) {
  using T = typename C::T;
  const PartOfTile<C, kContiguous> part(a, cut, blockIdx.x);
  Inside<T, kRows<T>> inside;
  T diag[kRows<T>];
  part.load(cut, inside.lower, diag, inside.upper, inside.rhs);
  Ends<T> mine;
  bool all_usable = inside.eliminate(diag, mine);
  all_usable &= EndsTree<T>{cut, part.index}.up(mine);
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
  if (!all_usable) report(part, all);
}

/// Solves each tile: where there are several, `ends` holds its first and its last unknown. The last tile
/// comes first: it was read last, and may still be in L2.
template <class C, bool kContiguous>
__global__ void __launch_bounds__(kMostThreads<kContiguous>)
    solve_tiles(typename C::Args a, Cut cut, typename C::Args ends, typename C::Args all) {
  using T = typename C::T;
  const PartOfTile<C, kContiguous> part(a, cut, gridDim.x - 1 - blockIdx.x);
  Inside<T, kRows<T>> inside;
  T diag[kRows<T>];
  part.load(cut, inside.lower, diag, inside.upper, inside.rhs);
  Ends<T> mine;
  bool all_usable = inside.eliminate(diag, mine);
  const EndsTree<T> tree{cut, part.index};
  all_usable &= tree.up(mine);
  Known<T> known{};
  if (part.index == 0 && part.system < a.count) {
    if (cut.tiles > 1) {
      const T* solved = ends.x + ends.start(ends.vector, part.system) + 2 * part.tile * ends.vector.row;
      known = {solved[0], solved[ends.vector.row]};
    } else {
      const T pivot = T(1) - mine.first.upper * mine.last.lower;
      all_usable &= usable(pivot);
      known.first = (mine.first.rhs - mine.first.upper * mine.last.rhs) / pivot;
      known.last = mine.last.rhs - mine.last.lower * known.first;
    }
  }
  tree.down(known);
  inside.substitute(known.first, known.last);
  part.store(cut, inside.rhs);
  if (!all_usable) report(part, all);
}

template <class C, bool kContiguous>
void solve(const typename C::Args& a, Context& ctx, const typename C::Args& all) {
  using T = typename C::T;
  const Cut cut = cut_systems<T, kContiguous>(ceil_div(a.n, kRows<T>), a.count, ctx);
  const int threads = cut.threads();
  const std::int64_t blocks = ceil_div(a.count, cut.width) * cut.tiles;
  const std::size_t shared =
      std::size_t(threads) * (EndsTree<T>::kWords + PartOfTile<C, kContiguous>::kExchange) * sizeof(T);
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

std::string refuses(const Tridiagonal::Shape& s, CaseId id) {
  const std::string pivot = Tridiagonal::refuse_pivot(s, id);
  return pivot.empty() ? refuse_short(s) : pivot;
}

REGISTER(Tridiagonal, tiles, .note = "long systems: tiles, the equations between them, and the tiles again",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
