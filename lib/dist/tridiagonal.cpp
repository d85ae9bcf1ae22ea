// Tridiagonal systems whose rows the ranks share. `transposed`: each rank solves some of the systems as a whole. `split`: each rank
// eliminates the rows between its first and its last; those two rows of all ranks make smaller systems, which are solved as
// wholes, and the rows between follow. `neighbour`: of long diagonally dominant parts the first and the last row no longer depend on each
// other, so that neighbours solve two rows at a time.
// Source:  László, Giles, Appleyard 2016, "Manycore algorithms for batch scalar and block tridiagonal solvers"; Kim et al. 2021,
//          "PaScaL_TDMA: A library of parallel and scalable solvers for massive tridiagonal systems"; x3d2's DistD2
//          (arXiv 2411.13532) for neighbours alone.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "lib/core/context_impl.h"
#include "lib/dist/communicator_impl.h"
#include "lib/dist/parts.h"
#include "lib/dist/split_rows.h"
#include "lib/ops/tridiagonal/pieces.h"
#include "tandem/ranks.h"

namespace tandem::detail {
namespace {

constexpr const char* op = Tridiagonal::name;

enum class Path : std::int32_t { split, neighbour, transposed };  // in the order of ranks_paths()
const std::string& name(Path path) {
  return ranks_paths(RankCall::tridiagonal)[static_cast<std::size_t>(path)];
}

Path path_of(const Systems& systems, const Options& options, bool on_device) {
  const bool portable = options.bits == Bits::portable;
  if (on_device && portable) throw Unavailable(fmt::format("{} over ranks: bits is portable, which GPUs have no path for yet", op));
  if (options.use.empty()) return systems.pivot || portable ? Path::transposed : Path::split;
  const auto path = static_cast<Path>(path_named(RankCall::tridiagonal, options.use));
  if (path != Path::transposed && systems.pivot)
    throw Unavailable(name(path) + ": never exchanges rows, which this matrix may need");
  if (on_device && path == Path::neighbour) throw Unavailable(name(path) + ": ranks on GPUs cannot do that yet");
  if (path != Path::transposed && portable)
    throw Unavailable(name(path) + ": bits is portable, which only custom/transposed gives over ranks");
  return path;
}

/// What a rank tells the others about its part.
struct Told {
  std::int64_t rows;
  Path path;
  bool pivot, shared_matrix;

  bool is_same(const Told& other) const {
    return path == other.path && pivot == other.pivot && shared_matrix == other.shared_matrix;
  }
  std::string str() const {
    return fmt::format("{}{}{}", name(path), pivot ? " with pivot" : "",
                       shared_matrix ? " with shared_matrix" : "");
  }
};

void check(Context& ctx, const Systems& systems, const ConstMemory (&arrays)[5], std::size_t element_bytes) {
  if (systems.n > 0) return check_tridiagonal(ctx, systems, arrays, element_bytes);
  if (systems.n < 0)
    throw InvalidArgument(fmt::format("{} over ranks: n is {}; it must be at least 0", op, systems.n));
  for (const auto& [what, value] : {std::pair{"inner", systems.inner}, {"outer", systems.outer}}) {
    if (value < 1) throw InvalidArgument(fmt::format("{}: {} is {}; it must be at least 1", op, what, value));
  }
}

/// The rows of all ranks, which have told the same path.
std::vector<std::int64_t> agreed_rows(RanksScope& scope, const Told& mine, const Systems& systems,
                                      std::size_t element_bytes) {
  std::vector<Told> all(static_cast<std::size_t>(scope.size()));
  scope.all_gather(&mine, all.data(), sizeof mine);
  const Told& usual = most_frequent(all);
  std::vector<std::int64_t> rows;
  std::int64_t total = 0, systems_count, unknowns, bytes;
  bool fits = !__builtin_mul_overflow(systems.inner, systems.outer, &systems_count);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (!all[r].is_same(usual))
      throw RanksDiffer(static_cast<int>(r), fmt::format("the {} ranks differ: rank {} calls {}, others {}",
                                                         all.size(), r, all[r].str(), usual.str()));
    rows.push_back(all[r].rows);
    fits = fits && !__builtin_add_overflow(total, all[r].rows, &total);
  }
  if (total == 0 && fits)
    throw InvalidArgument(fmt::format("{}: n is 0 on all ranks; one of them must have a row", op));
  constexpr std::int64_t kArrays = 4;
  const std::int64_t copies = std::max<std::int64_t>(systems_count, scope.size());
  if (!fits || __builtin_mul_overflow(total, copies, &unknowns) ||
      __builtin_mul_overflow(unknowns, kArrays * static_cast<std::int64_t>(element_bytes), &bytes)) {
    throw InvalidArgument(fmt::format("{}: the rows of all ranks in {} x {} systems overflow 2^63 bytes", op,
                                      systems.inner, systems.outer));
  }
  return rows;
}

/// What became of a step, from the best to the worst.
struct Outcome {
  enum class State : std::int32_t { done, lost, singular, failed };
  State state = State::done;
  std::int64_t system = 0, row = 0;  // of `singular`
};

/// work() gives this rank's outcome. All ranks get the worst, of the first singular system; what one throws is thrown there, and
/// RankFailed on the others.
template <class Work>
Outcome worst_of_all(RanksScope& scope, const Work& work) {
  std::vector<Outcome> all(static_cast<std::size_t>(scope.size()));
  Outcome mine;
  std::exception_ptr thrown;
  try {
    mine = work();
  } catch (...) {
    thrown = std::current_exception();
    mine.state = Outcome::State::failed;
  }
  scope.all_gather(&mine, all.data(), sizeof mine);
  if (thrown) std::rethrow_exception(thrown);
  for (int r = 0; r < scope.size(); ++r) {
    if (all[r].state == Outcome::State::failed) scope.throw_failed(r);
  }
  return *std::max_element(all.begin(), all.end(), [](const Outcome& a, const Outcome& b) {
    return a.state != b.state ? a.state < b.state : a.system > b.system;
  });
}

/// Blocks of the communicator's memory.
enum Memories { kPacked = 0, kWholes = 1, kReduced = 2, kOfThreads = 5, kLost = 6 };  // 3 and 4 are exchange's

template <class T>
T* block(RanksScope& scope, Memories number, std::int64_t elements) {
  return reinterpret_cast<T*>(scope.memory_here(number, static_cast<std::size_t>(elements) * sizeof(T)));
}

/// Systems as a whole on the rank that solves them: system s of row i lies at i · systems + s.
template <class T>
struct Whole {
  T *lower, *diag, *upper;  // with shared_matrix of one system
  T* rhs;                   // becomes x
  std::int64_t rows, systems, first;
};

/// Calls move(element of an array, place in a message) for what goes to each rank: of the systems begins[r], … row after row, the
/// systems of a row side by side.
template <class Args, class Move>
void for_each_packed(const Args& a, const Tridiagonal::Strides& strides,
                     const std::vector<std::int64_t>& begins, const Move& move) {
  constexpr std::int64_t kTile = 8;  // few lines, as they may share a set of the cache
  for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
    const std::int64_t first = begins[r], systems = begins[r + 1] - first, message = a.n * first;
    const auto tile = [&](std::int64_t begin) {
      const std::int64_t end = std::min(begin + kTile, systems);
      std::int64_t starts[kTile];
      for (std::int64_t s = begin; s < end; ++s) starts[s - begin] = a.start(strides, first + s);
      for (std::int64_t top = 0; top < a.n; top += kTile) {
        for (std::int64_t i = top; i < std::min(top + kTile, a.n); ++i) {
          for (std::int64_t s = begin; s < end; ++s)
            move(starts[s - begin] + i * strides.row, message + i * systems + s);
        }
      }
    };
    parallel_for((systems + kTile - 1) / kTile, systems_per_piece(a.n * kTile),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t t = begin; t < end; ++t) tile(t * kTile);
                 });
  }
}

/// A rank's rows of all systems, or one matrix of all of them, and what goes to each rank: the systems begins[r], …
struct Parts {
  Systems systems;
  const std::vector<std::int64_t>& begins;
};
/// The one matrix of all systems, as one system for each of many ranks.
Systems every_rank_one(std::int64_t n) { return {n, std::numeric_limits<std::int32_t>::max(), 1, 1, 0, 0}; }

/// On a GPU: what for_each_packed visits goes to the block, or comes from it.
template <class T>
void pack(Context& ctx, const Parts& parts, const T* array, T* packed) {
  for (std::size_t r = 0; r + 1 < parts.begins.size(); ++r) {
    const std::int64_t first = parts.begins[r];
    kernels_for(ctx).pack(ctx, type_of<T>, parts.systems, first, parts.begins[r + 1] - first, array,
                          packed + parts.systems.n * first);
  }
}
template <class T>
void unpack(Context& ctx, const Parts& parts, const T* packed, T* array) {
  for (std::size_t r = 0; r + 1 < parts.begins.size(); ++r) {
    const std::int64_t first = parts.begins[r];
    kernels_for(ctx).unpack(ctx, type_of<T>, parts.systems, first, parts.begins[r + 1] - first,
                            packed + parts.systems.n * first, array);
  }
}

/// Gives each rank whole systems, runs solve(Whole) there, which gives an Outcome, and brings x back, unless the outcome of one
/// is `lost`.
/// rows: of all ranks.
template <class Args, class Solve>
Outcome solve_whole(RanksScope& scope, const Args& a, const Systems& systems,
                    const std::vector<std::int64_t>& rows, const Solve& solve) {
  using T = std::remove_cvref_t<decltype(*a.diag)>;
  const bool shared_matrix = systems.shared_matrix;
  Context& ctx = scope.context();
  const std::int64_t ranks = scope.size(), total = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  // Where the systems of each rank begin; one matrix for all systems counts as one system, which every rank gets.
  std::vector<std::int64_t> shares, one_each;
  for (std::int64_t r = 0; r <= ranks; ++r) {
    shares.push_back(a.count / ranks * r + std::min(r, a.count % ranks));
    one_each.push_back(r);
  }
  const auto& matrices = shared_matrix ? one_each : shares;
  const auto mine = [&](const std::vector<std::int64_t>& begins) {
    return begins[scope.rank() + 1] - begins[scope.rank()];
  };
  T *packed = nullptr, *whole = nullptr;
  worst_of_all(scope, [&] {
    packed = block<T>(scope, kPacked, a.n * std::max(a.count, matrices.back()));
    whole = block<T>(scope, kWholes, total * (3 * mine(matrices) + mine(shares)));
    return Outcome{};
  });

  const auto bytes_of_parts = [&](const std::vector<std::int64_t>& begins) {
    std::vector<std::int64_t> bytes;
    for (std::int64_t r = 0; r < ranks; ++r) bytes.push_back(a.n * (begins[r + 1] - begins[r]) * sizeof(T));
    return bytes;
  };
  const auto bytes_of_wholes = [&](const std::vector<std::int64_t>& begins) {
    std::vector<std::int64_t> bytes;
    for (const std::int64_t n : rows) bytes.push_back(n * mine(begins) * sizeof(T));
    return bytes;
  };
  const auto collect = [&](const T* array, const Tridiagonal::Strides& strides, const Systems& of_array,
                           const std::vector<std::int64_t>& begins) {
    if (scope.on_device())
      pack(ctx, {of_array, begins}, array, packed);
    else
      for_each_packed(a, strides, begins,
                      [&](std::int64_t at, std::int64_t place) { packed[place] = array[at]; });
    T* const to = whole;
    scope.exchange(reinterpret_cast<const std::byte*>(packed), bytes_of_parts(begins),
                   reinterpret_cast<std::byte*>(to), bytes_of_wholes(begins));
    whole += total * mine(begins);
    return to;
  };
  Whole<T> of_mine{};
  Systems vectors = systems;
  vectors.shared_matrix = false;
  const Systems of_matrix = shared_matrix ? every_rank_one(a.n) : vectors;
  of_mine.lower = collect(a.lower, a.matrix, of_matrix, matrices);
  of_mine.diag = collect(a.diag, a.matrix, of_matrix, matrices);
  of_mine.upper = collect(a.upper, a.matrix, of_matrix, matrices);
  of_mine.rhs = collect(a.rhs, a.vector, vectors, shares);
  of_mine.rows = total, of_mine.systems = mine(shares), of_mine.first = shares[scope.rank()];

  const Outcome outcome =
      worst_of_all(scope, [&] { return of_mine.systems > 0 ? solve(of_mine) : Outcome{}; });
  if (outcome.state == Outcome::State::lost) return outcome;
  scope.exchange(reinterpret_cast<const std::byte*>(of_mine.rhs), bytes_of_wholes(shares),
                 reinterpret_cast<std::byte*>(packed), bytes_of_parts(shares));
  if (scope.on_device())
    unpack(ctx, {vectors, shares}, packed, a.x);
  else
    for_each_packed(a, a.vector, shares, [&](std::int64_t at, std::int64_t place) { a.x[at] = packed[place]; });
  return outcome;
}

/// The operation of one rank. reports: waits for a GPU, which reports a singular system only then.
template <class T>
Outcome solve_here(Context& ctx, const ConstMemory (&in)[4], T* x, const Systems& systems,
                   const Options& options, std::int64_t first_system, bool reports) {
  try {
    tridiagonal(ctx, type_of<T>, in, {x, in[3].size}, systems, options);
    if (reports) ctx.synchronize();
  } catch (const SingularSystem& e) {
    return {Outcome::State::singular, first_system + e.system, e.row};
  }
  return {};
}

/// Each rank solves some of the systems, with a path whose roundings are those of one system alone.
template <class Args>
Outcome transposed(RanksScope& scope, const Args& a, const Systems& systems,
                   const std::vector<std::int64_t>& rows) {
  using T = std::remove_cvref_t<decltype(*a.diag)>;
  return solve_whole(scope, a, systems, rows, [&](const Whole<T>& whole) {
    const std::int64_t all = whole.rows * whole.systems, of_matrix = systems.shared_matrix ? whole.rows : all;
    Systems here = interleaved(whole.rows, whole.systems);
    here.shared_matrix = systems.shared_matrix, here.pivot = systems.pivot;
    return solve_here(
        scope.context(),
        {{whole.lower, of_matrix}, {whole.diag, of_matrix}, {whole.upper, of_matrix}, {whole.rhs, all}},
        whole.rhs, here,
        {.use = scope.on_device() ? "" : systems.pivot ? "custom/pivoting_threads" : "custom/threads"},
        whole.first, scope.on_device());
  });
}

// --- split

/// Thomas, over all systems row by row, in place of the coefficients.
template <class T>
Outcome solve_reduced(const Whole<T>& a) {
  std::atomic<bool> any_lost{false};
  parallel_for(a.systems, systems_per_piece(a.rows), [&](std::int64_t begin, std::int64_t end, int) {
    int lost = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      const std::int64_t here = i * a.systems, above = std::max<std::int64_t>(0, i - 1) * a.systems;
      for (std::int64_t s = begin; s < end; ++s) {
        const T lower = a.lower[here + s], diag = a.diag[here + s], upper = a.upper[here + s];
        const T pivot = i > 0 ? diag - lower * a.upper[above + s] : diag, r = T(1) / pivot;
        lost += is_lost(pivot, lower, diag, upper);
        a.upper[here + s] = upper * r;
        a.rhs[here + s] = (i > 0 ? a.rhs[here + s] - lower * a.rhs[above + s] : a.rhs[here + s]) * r;
      }
    }
    for (std::int64_t i = a.rows - 2; i >= 0; --i) {
      const std::int64_t here = i * a.systems, below = here + a.systems;
      for (std::int64_t s = begin; s < end; ++s) a.rhs[here + s] -= a.upper[here + s] * a.rhs[below + s];
    }
    if (lost) any_lost.store(true, std::memory_order_relaxed);
  });
  return {any_lost ? Outcome::State::lost : Outcome::State::done};
}

constexpr auto has_rows = [](std::int64_t n) { return n > 0; };

/// The rows that elimination leaves of each system: rows · systems elements of each array.
template <class T>
struct Left {
  T *lower, *diag, *upper, *rhs;
  std::int64_t rows, systems;
  Left(T* all, std::int64_t rows, std::int64_t systems)
      : lower(all),
        diag(all + rows * systems),
        upper(diag + rows * systems),
        rhs(upper + rows * systems),
        rows(rows),
        systems(systems) {}
};

/// The largest share of a pivot by which one of a rank's two rows depends on the other; 1 where there is but one row.
template <class T>
double coupling(const Left<T>& a) {
  if (a.rows == 1) return 1;
  double worst = 0;
  for (std::int64_t s = 0; s < a.rows * a.systems; ++s) {
    const double share = std::fabs(static_cast<double>(s < a.systems ? a.upper[s] : a.lower[s]) / a.diag[s]);
    if (!(share <= 1)) return 1;  // a NaN, too
    worst = std::max(worst, share);
  }
  return worst;
}

/// A rank's last row and the first of the next one with rows are a system of their own where neither depends on the rest. The
/// coefficients of these rows go to the neighbour, and both solve. In place of rhs.
template <class T>
Outcome solve_with_neighbours(RanksScope& scope, const Left<T>& a, const std::vector<std::int64_t>& rows) {
  const auto ranks = rows.size(), me = static_cast<std::size_t>(scope.rank());
  const double mine = rows[me] > 0 ? coupling(a) : 0;
  std::vector<double> couplings(ranks);
  scope.all_gather(&mine, couplings.data(), sizeof mine);
  const double worst = *std::max_element(couplings.begin(), couplings.end());
  if (constexpr double kMost = std::numeric_limits<T>::epsilon(); !(worst <= kMost)) {
    throw Unavailable(fmt::format(
        "{}: a rank's first and last row depend on each other by {:.2g} of a pivot; it must be at most "
        "{:.2g}, so that neighbours suffice (custom/split takes any)",
        name(Path::neighbour), worst, kMost));
  }
  // What goes to a rank and comes from it: the three coefficients of the row next to it, an array after the other.
  const std::int64_t message = 3 * a.systems;
  std::vector<std::int64_t> bytes(ranks);
  const Neighbours beside = neighbours_of(rows, scope.rank());
  const std::size_t before = beside.before, after = beside.after;
  for (const std::size_t r : {before, after})
    if (r < ranks) bytes[r] = message * static_cast<std::int64_t>(sizeof(T));
  T *sent = nullptr, *received = nullptr;
  worst_of_all(scope, [&] {
    sent = block<T>(scope, kPacked, 2 * message);
    received = block<T>(scope, kWholes, 2 * message);
    return Outcome{};
  });
  const auto pack = [&](T* to, const T* of_other, std::int64_t row) {
    const T* const parts[] = {of_other + row * a.systems, a.diag + row * a.systems, a.rhs + row * a.systems};
    for (const T* part : parts) to = std::copy_n(part, a.systems, to);
  };
  const std::int64_t first_of_after = before < ranks ? message : 0;
  if (before < ranks) pack(sent, a.lower, 0);
  if (after < ranks) pack(sent + first_of_after, a.upper, 1);
  scope.exchange(reinterpret_cast<const std::byte*>(sent), bytes, reinterpret_cast<std::byte*>(received),
                 bytes);

  // diag · x + other · y = rhs here, and their diag · y + their other · x = their rhs there.
  bool lost = false;
  const auto solve_row = [&](std::int64_t row, const T* other, const T* theirs) {
    for (std::int64_t s = 0; s < a.systems; ++s) {
      const std::int64_t here = row * a.systems + s;
      const T share = theirs ? other[here] / theirs[a.systems + s] : T(0);
      const T pivot = theirs ? a.diag[here] - share * theirs[s] : a.diag[here];
      lost |= is_lost(pivot, T(0), a.diag[here], T(0));
      a.rhs[here] = (theirs ? a.rhs[here] - share * theirs[2 * a.systems + s] : a.rhs[here]) / pivot;
    }
  };
  return worst_of_all(scope, [&] {
    if (rows[me] > 0) {
      solve_row(0, a.lower, before < ranks ? received : nullptr);
      solve_row(1, a.upper, after < ranks ? received + first_of_after : nullptr);
    }
    return Outcome{lost ? Outcome::State::lost : Outcome::State::done};
  });
}

/// Lost where a pivot is: x is untouched then.
template <class C>
Outcome split(RanksScope& scope, const typename C::Args& a, const std::vector<std::int64_t>& rows,
              Path path) {
  using T = typename C::T;
  const auto first = std::find_if(rows.begin(), rows.end(), has_rows) - rows.begin();
  const auto last = rows.rend() - std::find_if(rows.rbegin(), rows.rend(), has_rows) - 1;
  const SplitRows<typename C::Args> mine{a, scope.rank() == first, scope.rank() == last};
  T *reduced = nullptr, *of_threads = nullptr;
  const Outcome eliminated = worst_of_all(scope, [&] {
    const CallScope call(scope.context(), name(path).c_str(), Place::host);
    reduced = block<T>(scope, kReduced, 4 * mine.left() * a.count);
    of_threads = block<T>(scope, kOfThreads, group_elements<T>(a));
    std::atomic<bool> lost{false};
    if (a.n > 0) {
      for_each_group(a, of_threads, [&](std::int64_t system, auto lanes, T* memory) {
        if (eliminate(mine, system, lanes, memory, reduced)) lost.store(true, std::memory_order_relaxed);
      });
    }
    return Outcome{lost ? Outcome::State::lost : Outcome::State::done};
  });
  if (eliminated.state == Outcome::State::lost) return eliminated;

  const Left<T> left(reduced, mine.left(), a.count);
  Outcome solved;
  if (path == Path::neighbour) {
    solved = solve_with_neighbours(scope, left, rows);
  } else {
    std::vector<std::int64_t> rows_left;
    for (const std::int64_t n : rows) rows_left.push_back(std::min<std::int64_t>(2, n));
    const auto args = C::args(left.lower, left.diag, left.upper, left.rhs, left.rhs,
                              interleaved(mine.left(), a.count), nullptr);
    solved = solve_whole(scope, args, interleaved(mine.left(), a.count), rows_left, solve_reduced<T>);
  }
  if (solved.state == Outcome::State::done && a.n > 0) {
    for_each_group(a, of_threads, [&](std::int64_t system, auto lanes, T* memory) {
      substitute(mine, system, lanes, memory, left.rhs);
    });
  }
  return solved;
}

/// split on GPUs: by kernels, but for the rows between the two, which are a batch of their own for the operation of one rank.
template <class C>
Outcome split_on_device(RanksScope& scope, const typename C::Args& a, const Systems& systems,
                        const std::vector<std::int64_t>& rows) {
  using T = typename C::T;
  Context& ctx = scope.context();
  const RankKernels& kernels = kernels_for(ctx);
  const auto first = std::find_if(rows.begin(), rows.end(), has_rows) - rows.begin();
  const auto last = rows.rend() - std::find_if(rows.rbegin(), rows.rend(), has_rows) - 1;
  const RankKernels::Rows mine{a.lower, a.diag, a.upper, a.rhs, systems, scope.rank() == first, scope.rank() == last};
  const std::int64_t left = std::min<std::int64_t>(2, a.n);
  T* reduced = nullptr;
  int* lost = nullptr;
  worst_of_all(scope, [&] {
    if (!kernels.split) throw Unavailable(name(Path::split) + ": this build has no kernels for it");
    reduced = block<T>(scope, kReduced, 4 * left * a.count);
    lost = block<int>(scope, kLost, 1);
    ctx.fill(lost, 0, sizeof *lost);
    if (a.n > 0) {
      T* const memory = block<T>(scope, kOfThreads, 8 * kernels.split_segments(a.n, a.count) * a.count);
      kernels.split(ctx, type_of<T>, mine, memory, reduced, lost);
    }
    return Outcome{};
  });
  std::vector<std::int64_t> rows_left;
  for (const std::int64_t n : rows) rows_left.push_back(std::min<std::int64_t>(2, n));
  const Left<T> equations(reduced, left, a.count);
  Systems side_by_side = interleaved(left, a.count);
  const auto args = C::args(equations.lower, equations.diag, equations.upper, equations.rhs, equations.rhs,
                            side_by_side, nullptr);
  const Outcome outcome = solve_whole(scope, args, side_by_side, rows_left, [&](const Whole<T>& whole) {
    if (whole.systems > 0) kernels.solve_left(ctx, type_of<T>, whole.lower, whole.rows, whole.systems, lost);
    int any_lost = 0;
    ctx.copy(&any_lost, lost, sizeof any_lost);
    ctx.synchronize();
    return Outcome{any_lost ? Outcome::State::lost : Outcome::State::done};
  });
  if (outcome.state == Outcome::State::lost || a.n == 0) return outcome;
  kernels.set_ends(ctx, type_of<T>, mine, equations.rhs, a.x);
  if (a.n <= 2) return outcome;
  Systems between = systems;
  between.n = a.n - 2;
  const auto behind = [&](auto* array, std::int64_t stride) { return array + stride; };
  const auto size_of_all = [&](const Systems& batch) { return batch.shared_matrix ? batch.n : storage_size(batch); };
  Systems vectors = between;
  vectors.shared_matrix = false;
  const std::int64_t matrix = size_of_all(between), vector = size_of_all(vectors);
  solve_here<T>(ctx,
                {{behind(a.lower, a.matrix.row), matrix},
                 {behind(a.diag, a.matrix.row), matrix},
                 {behind(a.upper, a.matrix.row), matrix},
                 {behind(a.x, a.vector.row), vector}},
                behind(a.x, a.vector.row), between, {}, 0, false);
  return outcome;
}

template <class C>
void solve(RanksScope& scope, const ConstMemory (&in)[4], typename C::T* x, const Systems& systems, Path path,
           const std::vector<std::int64_t>& rows) {
  using T = typename C::T;
  const auto pointer = [&](int i) { return static_cast<const T*>(in[i].data); };
  const auto a = C::args(pointer(0), pointer(1), pointer(2), pointer(3), x, systems, nullptr);
  const auto ranks_with_rows = std::count_if(rows.begin(), rows.end(), has_rows);
  Outcome outcome{Outcome::State::lost};
  if (path != Path::transposed && ranks_with_rows == 1) {
    outcome = worst_of_all(scope, [&] {
      return systems.n > 0 ? solve_here(scope.context(), in, x, systems, {}, 0, false) : Outcome{};
    });
  } else if (path != Path::transposed) {
    outcome = scope.on_device() ? split_on_device<C>(scope, a, systems, rows) : split<C>(scope, a, rows, path);
  }
  if (outcome.state == Outcome::State::lost) outcome = transposed(scope, a, systems, rows);
  if (outcome.state == Outcome::State::singular) throw SingularSystem(outcome.system, outcome.row);
}

}  // namespace

void tridiagonal_over_ranks(RanksScope& scope, Type type, const ConstMemory (&in)[4], Memory x,
                            const Systems& systems, const Options& options) {
  Context& ctx = scope.context();
  public_call(ctx, [&] {
    Told mine{systems.n, Path::split, systems.pivot, systems.shared_matrix};
    scope.together([&] {
      check(ctx, systems, {in[0], in[1], in[2], in[3], {x.data, x.size}}, size_of(type));
      mine.path = path_of(systems, options, scope.on_device());
    });
    const auto rows = agreed_rows(scope, mine, systems, size_of(type));
    for_case<Tridiagonal>({type, OperatorId::none}, [&]<class C>() {
      solve<C>(scope, in, static_cast<typename C::T*>(x.data), systems, mine.path, rows);
    });
  });
}

}  // namespace tandem::detail
