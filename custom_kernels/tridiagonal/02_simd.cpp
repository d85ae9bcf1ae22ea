// Idea:    the lanes of a vector register hold the same row of neighbouring systems, so one Thomas solves as
//          many systems as there are lanes. Where neighbours do not lie side by side, a cache line of each is
//          spread over the lanes of as many rows.
// New:     against threads, vectors instead of scalars: the dependence chain is as long, but serves all lanes.
// Expect:  the bandwidth of the memory. Contiguous systems cost shuffles, and software prefetches: their
//          streams are more than the hardware prefetcher follows.
// Limits:  groups of fewer systems than lanes do the work of a whole group. Vectors of 32 bytes where there
//          is AVX2.
// Source:  Zhang, Cohen, Owens 2010, "Fast tridiagonal solvers on the GPU", which does the same with threads.

#include <algorithm>
#include <cstring>

#include "custom_kernels/tridiagonal/detail/thomas.h"
#include "lib/core/target_clones.h"
#include "lib/ops/tridiagonal/pieces.h"

namespace tandem {
namespace {

template <class T>
constexpr int kLanes = 128 / sizeof(T);  // two cache lines: several vectors hide each other's latency

constexpr int kRows = 16;  // loaded at a time: one or two cache lines of each lane

template <class T>
struct Lanes {
  alignas(64) T at[kLanes<T>];
};

/// Four elements side by side.
template <class T>
struct Quad {
  typedef T type __attribute__((vector_size(4 * sizeof(T))));
};

/// to[j][i] = from[i][j], i, j < 4, lines at these distances.
template <class T>
[[gnu::always_inline]] inline void transpose_quads(const T* from, std::int64_t from_line, T* to,
                                                   std::int64_t to_line) {
  using V = typename Quad<T>::type;
  const auto out = [&](int j, const V& quad) { std::memcpy(to + j * to_line, &quad, sizeof quad); };
  V a, b, c, d;
  std::memcpy(&a, from, sizeof a);
  std::memcpy(&b, from + from_line, sizeof b);
  std::memcpy(&c, from + 2 * from_line, sizeof c);
  std::memcpy(&d, from + 3 * from_line, sizeof d);
  const V ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
          ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
          cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  out(0, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
  out(1, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
  out(2, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  out(3, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

/// Prefetches kRows elements of each lane from `first` on: the hardware follows fewer streams.
template <int kWrite, class T>
[[gnu::always_inline]] inline void prefetch(const T* first, const Tridiagonal::Strides& strides) {
  for (int k = 0; k < kLanes<T>; ++k) {
    for (int r = 0; r < kRows; r += 64 / sizeof(T))
      __builtin_prefetch(first + k * strides.system + r, kWrite);
  }
}

/// Rows of `lanes` neighbouring systems, from strides in memory to vectors. Where the systems are not side by
/// side, each lane's rows come one after the other, so that a cache line is used up at once. Lanes beyond
/// the last system repeat the first one.
template <class T>
[[gnu::always_inline]] inline void load(Lanes<T>* to, const T* from, const Tridiagonal::Strides& strides,
                                        int rows, int lanes) {
  int done = 0;
  if (strides.system == 1 && lanes == kLanes<T>) {
    for (; done < rows; ++done) {
#pragma omp simd
      for (int k = 0; k < kLanes<T>; ++k) to[done].at[k] = from[done * strides.row + k];
    }
  } else if (strides.row == 1 && lanes == kLanes<T>) {
    for (int k = 0; k < kLanes<T>; k += 4) {
      for (int r = 0; r + 4 <= rows; r += 4)
        transpose_quads(from + k * strides.system + r, strides.system, to[r].at + k, kLanes<T>);
    }
    done = rows / 4 * 4;
  }
  for (int k = 0; k < kLanes<T> && done < rows; ++k) {
    for (int r = done; r < rows; ++r)
      to[r].at[k] = from[(k < lanes ? k : 0) * strides.system + r * strides.row];
  }
}

template <class T>
[[gnu::always_inline]] inline void store(T* to, const Lanes<T>* from, const Tridiagonal::Strides& strides,
                                         int rows, int lanes) {
  int done = 0;
  if (strides.system == 1 && lanes == kLanes<T>) {
    for (; done < rows; ++done) {
#pragma omp simd
      for (int k = 0; k < kLanes<T>; ++k) to[done * strides.row + k] = from[done].at[k];
    }
  } else if (strides.row == 1 && lanes == kLanes<T>) {
    for (int k = 0; k < kLanes<T>; k += 4) {
      for (int r = 0; r + 4 <= rows; r += 4)
        transpose_quads(from[r].at + k, kLanes<T>, to + k * strides.system + r, strides.system);
    }
    done = rows / 4 * 4;
  }
  for (int k = 0; k < lanes && done < rows; ++k) {
    for (int r = done; r < rows; ++r) to[k * strides.system + r * strides.row] = from[r].at[k];
  }
}

/// Systems first … first + lanes − 1, neighbours at one distance. above[i], value[i]: c′ and d′ of row i.
template <class Args, class T>
TANDEM_CLONES void solve_group(const Args& a, std::int64_t first, int lanes, Lanes<T>* above,
                               Lanes<T>* value) {
  const std::int64_t m = a.start(a.matrix, first), v = a.start(a.vector, first);
  Lanes<T> lower[kRows], diag[kRows];
  Lanes<T> c{}, d{};
  const bool in_pieces = a.matrix.row == 1 && a.vector.row == 1 && lanes == kLanes<T>;
  for (std::int64_t row = 0; row < a.n; row += kRows) {
    const auto rows = static_cast<int>(std::min<std::int64_t>(kRows, a.n - row));
    const std::int64_t at = m + row * a.matrix.row;
    const int head = row == 0, tail = row + rows == a.n;  // corners that are not read
    lower[0] = above[row + rows - 1] = {};
    load(lower + head, a.lower + at + head * a.matrix.row, a.matrix, rows - head, lanes);
    load(diag, a.diag + at, a.matrix, rows, lanes);
    load(above + row, a.upper + at, a.matrix, rows - tail, lanes);
    load(value + row, a.rhs + v + row * a.vector.row, a.vector, rows, lanes);
    if (in_pieces && row + 2 * kRows <= a.n) {
      for (const T* array : {a.lower, a.diag, a.upper}) prefetch<0>(array + at + kRows, a.matrix);
      prefetch<0>(a.rhs + v + row + kRows, a.vector);
    }
    for (int r = 0; r < rows; ++r) {
      int failures = 0;
#pragma omp simd reduction(+ : failures)
      for (int k = 0; k < kLanes<T>; ++k) {
        diag[r].at[k] -= lower[r].at[k] * c.at[k];
        failures += !usable(diag[r].at[k]);
        const T reciprocal = T(1) / diag[r].at[k];
        c.at[k] = above[row + r].at[k] * reciprocal;
        d.at[k] = (value[row + r].at[k] - lower[r].at[k] * d.at[k]) * reciprocal;
        above[row + r].at[k] = c.at[k];
        value[row + r].at[k] = d.at[k];
      }
      for (int k = 0; failures && k < lanes; ++k) {
        if (!usable(diag[r].at[k])) report_pivot(a, first + k, row + r);
      }
    }
  }
  for (std::int64_t end = a.n; end > 0;) {
    const std::int64_t row = (end - 1) / kRows * kRows;
    for (std::int64_t i = std::min(end, a.n - 1) - 1; i >= row; --i) {
#pragma omp simd
      for (int k = 0; k < kLanes<T>; ++k) value[i].at[k] -= above[i].at[k] * value[i + 1].at[k];
    }
    if (in_pieces && row > 0) prefetch<1>(a.x + v + row - kRows, a.vector);
    store(a.x + v + row * a.vector.row, value + row, a.vector, static_cast<int>(end - row), lanes);
    end = row;
  }
}

template <class C>
void simd(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* lanes_memory = ctx.scratch<Lanes<T>>(2 * a.n * most_workers());
  // Groups end where neighbours do: at the end of a block.
  const std::int64_t groups = (a.inner + kLanes<T> - 1) / kLanes<T>, blocks = a.count / a.inner;
  const Pieces pieces = systems_per_piece(a.n * kLanes<T>);
  parallel_for(groups * blocks, pieces, [&](std::int64_t begin, std::int64_t end, int worker) {
    Lanes<T>* mine = lanes_memory + 2 * a.n * worker;
    for (std::int64_t group = begin; group < end; ++group) {
      const std::int64_t within = group % groups * kLanes<T>;
      const auto lanes = static_cast<int>(std::min<std::int64_t>(kLanes<T>, a.inner - within));
      solve_group(a, group / groups * a.inner + within, lanes, mine, mine + a.n);
    }
  });
}

/// Groups of lanes that are more than half full, with enough to do for what a group costs, of rows or systems that lie side by side.
bool suits(const Tridiagonal::Shape& s) {
  constexpr std::int64_t kLeast = 256;  // elements of a group
  return s.systems.inner > kLanes<double> / 2 && s.systems.inner * s.systems.n >= kLeast &&
         (s.systems.row == 1 || s.systems.system == 1);
}

REGISTER(Tridiagonal, simd, .note = "Thomas on vectors of neighbouring systems, on all cores",
         .refuses = Tridiagonal::refuse_list_and_pivot, .suits = suits)

}  // namespace
}  // namespace tandem
