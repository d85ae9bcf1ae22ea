#pragma once
// A rank's rows of tridiagonal systems: elimination of those between the first and the last, and what follows once these two are
// known. Neighbouring systems are solved side by side, as lanes of vectors.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "lib/core/target_clones.h"
#include "lib/core/workers.h"
#include "lib/dist/lost_pivot.h"
#include "lib/ops/tridiagonal/contract.h"
#include "lib/ops/tridiagonal/pieces.h"
#include "lib/ops/tridiagonal/pivot.h"
#include "tandem/parallel_for.h"

namespace tandem::detail {

// Groups of neighbouring systems are solved side by side: the lanes of vectors, where a group is full.
template <class T>
inline constexpr std::int64_t kLanes = 128 / sizeof(T);
inline constexpr std::int64_t kRows = 16;  // loaded at a time: one or two cache lines of each system

/// Rows of neighbouring systems, from an array to one row of lanes after the other; and back.
template <class T, class Lanes>
[[gnu::always_inline]] inline void load(T* to, const T* from, const Tridiagonal::Strides& strides,
                                        std::int64_t rows, Lanes lanes) {
  if (strides.system == 1) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t k = 0; k < lanes; ++k) to[i * lanes + k] = from[i * strides.row + k];
  } else {
    for (std::int64_t k = 0; k < lanes; ++k)
      for (std::int64_t i = 0; i < rows; ++i) to[i * lanes + k] = from[k * strides.system + i * strides.row];
  }
}
template <class T, class Lanes>
[[gnu::always_inline]] inline void store(T* to, const T* from, const Tridiagonal::Strides& strides,
                                         std::int64_t rows, Lanes lanes) {
  if (strides.system == 1) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t k = 0; k < lanes; ++k) to[i * strides.row + k] = from[i * lanes + k];
  } else {
    for (std::int64_t k = 0; k < lanes; ++k)
      for (std::int64_t i = 0; i < rows; ++i) to[k * strides.system + i * strides.row] = from[i * lanes + k];
  }
}

/// Down the rows between the first and the last: c[i], d[i] and, where kEliminates, l[i] of row i, for which
/// x[i] + c·x[i+1] + l·x[0] = d. Those of row 0 are given. Returns how many pivots are lost, where kEliminates.
template <bool kEliminates, class Args, class T, class Lanes>
[[gnu::always_inline]] inline int sweep_down(const Args& a, std::int64_t first, Lanes lanes, T* c, T* d,
                                             T* l) {
  const std::int64_t matrix = a.start(a.matrix, first), vector = a.start(a.vector, first);
  T lower[kRows * kLanes<T>], diag[kRows * kLanes<T>], upper[kRows * kLanes<T>], rhs[kRows * kLanes<T>];
  int lost = 0;
  for (std::int64_t top = 1; top + 1 < a.n; top += kRows) {
    const std::int64_t rows = std::min(kRows, a.n - 1 - top), at = matrix + top * a.matrix.row;
    load(lower, a.lower + at, a.matrix, rows, lanes);
    load(diag, a.diag + at, a.matrix, rows, lanes);
    load(upper, a.upper + at, a.matrix, rows, lanes);
    load(rhs, a.rhs + vector + top * a.vector.row, a.vector, rows, lanes);
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t here = (top + i) * lanes, above = here - lanes, tile = i * lanes;
#pragma omp simd reduction(+ : lost)
      for (std::int64_t k = 0; k < lanes; ++k) {
        const T low = lower[tile + k], up = upper[tile + k], pivot = diag[tile + k] - low * c[above + k],
                r = T(1) / pivot;
        c[here + k] = up * r;
        d[here + k] = (rhs[tile + k] - low * d[above + k]) * r;
        if constexpr (kEliminates) {
          l[here + k] = -low * l[above + k] * r;
          lost += is_lost(pivot, low, diag[tile + k], up);
        }
      }
    }
  }
  return lost;
}

/// A rank's rows of all systems, and whether they are the first or the last of the whole.
template <class Args>
struct SplitRows : Args {
  bool is_first, is_last;

  /// The rows that are left of each system: the first and the last.
  std::int64_t left() const { return std::min<std::int64_t>(2, this->n); }
};

/// Leaves two rows of each system, in four arrays of left() · count elements: the first couples with the last of the rank before and
/// with the last, that with the first and with the first of the rank after. memory: 3 · n · lanes elements. Returns how
/// many pivots are lost.
template <class Args, class T, class Lanes>
TANDEM_CLONES int eliminate(const SplitRows<Args>& a, std::int64_t first, Lanes lanes, T* memory,
                            T* reduced) {
  const std::int64_t n = a.n, last = (n - 1) * a.matrix.row;
  T *const c = memory, *const d = c + n * lanes, *const l = d + n * lanes;
  for (std::int64_t k = 0; k < lanes; ++k) c[k] = d[k] = 0, l[k] = -1;  // x[0] = x[0]
  int lost = sweep_down<true>(a, first, lanes, c, d, l);

  // Upwards: x[i] = value − of_first·x[0] − of_last·x[n−1].
  T value[kLanes<T>], of_first[kLanes<T>], of_last[kLanes<T>];
  for (std::int64_t k = 0; k < lanes; ++k) value[k] = of_first[k] = 0, of_last[k] = -1;
  for (std::int64_t i = n - 2; i > 0; --i) {
#pragma omp simd
    for (std::int64_t k = 0; k < lanes; ++k) {
      const T next = c[i * lanes + k];
      value[k] = d[i * lanes + k] - next * value[k];
      of_first[k] = l[i * lanes + k] - next * of_first[k];
      of_last[k] = -next * of_last[k];
    }
  }

  const std::int64_t array = a.left() * a.count;
  for (std::int64_t k = 0; k < lanes; ++k) {
    const auto write = [&](std::int64_t row, T lower, T diag, T upper, T rhs) {
      T* const to = reduced + row * a.count + first + k;
      to[0] = lower, to[array] = diag, to[2 * array] = upper, to[3 * array] = rhs;
    };
    const std::int64_t top = a.start(a.matrix, first + k), end = top + last, v = a.start(a.vector, first + k);
    const T before = a.is_first ? T(0) : a.lower[top], after = a.is_last ? T(0) : a.upper[end];
    if (n == 1) {
      write(0, before, a.diag[top], after, a.rhs[v]);
      continue;
    }
    const T up = a.upper[top], first_diag = a.diag[top] - up * of_first[k];
    lost += is_lost(first_diag, before, a.diag[top], up);
    write(0, before, first_diag, -up * of_last[k], a.rhs[v] - up * value[k]);
    const std::int64_t above = (n - 2) * lanes + k;
    const T low = a.lower[end], last_diag = a.diag[end] - low * c[above];
    lost += is_lost(last_diag, low, a.diag[end], after);
    write(1, -low * l[above], last_diag, after, a.rhs[v + (n - 1) * a.vector.row] - low * d[above]);
  }
  return lost;
}

/// Thomas between the first and the last row, whose x are the `ends`. Writes all of x. memory: 2 · n · lanes elements.
template <class Args, class T, class Lanes>
TANDEM_CLONES void substitute(const SplitRows<Args>& a, std::int64_t first, Lanes lanes, T* memory,
                              const T* ends) {
  const std::int64_t n = a.n;
  T *const c = memory, *const d = c + n * lanes;
  for (std::int64_t k = 0; k < lanes; ++k) c[k] = 0, d[k] = ends[first + k];
  sweep_down<false>(a, first, lanes, c, d, static_cast<T*>(nullptr));
  for (std::int64_t k = 0; k < lanes; ++k)
    d[(n - 1) * lanes + k] = ends[(a.left() - 1) * a.count + first + k];
  for (std::int64_t end = n; end > 0;) {
    const std::int64_t top = (end - 1) / kRows * kRows;
    for (std::int64_t i = std::min(end, n - 1) - 1; i >= top; --i) {
#pragma omp simd
      for (std::int64_t k = 0; k < lanes; ++k) d[i * lanes + k] -= c[i * lanes + k] * d[(i + 1) * lanes + k];
    }
    store(a.x + a.start(a.vector, first) + top * a.vector.row, d + top * lanes, a.vector, end - top, lanes);
    end = top;
  }
}

/// The elements of memory that for_each_group needs.
template <class T, class Args>
std::int64_t group_elements(const Args& a) {
  return most_workers() * 3 * a.n * std::min(kLanes<T>, a.inner);
}

/// Calls body(first system, lanes, memory of 3 · n · lanes elements) for groups of neighbouring systems.
template <class Args, class T, class Body>
void for_each_group(const Args& a, T* memory, const Body& body) {
  const std::int64_t width = std::min(kLanes<T>, a.inner), groups = (a.inner + width - 1) / width;
  parallel_for(groups * (a.count / a.inner), systems_per_piece(a.n * width),
               [&](std::int64_t begin, std::int64_t end, int worker) {
                 T* const mine = memory + worker * 3 * a.n * width;
                 for (std::int64_t group = begin; group < end; ++group) {
                   const std::int64_t within = group % groups * width,
                                      first = group / groups * a.inner + within,
                                      lanes = std::min(width, a.inner - within);
                   if (lanes == kLanes<T>)
                     body(first, std::integral_constant<std::int64_t, kLanes<T>>(), mine);
                   else
                     body(first, lanes, mine);
                 }
               });
}

}  // namespace tandem::detail
