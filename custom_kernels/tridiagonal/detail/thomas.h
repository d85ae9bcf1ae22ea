#pragma once
// Elimination of one system by one thread, and what every solver says about a pivot that it cannot use.

#include <atomic>
#include <cmath>
#include <limits>

#include "lib/ops/tridiagonal/contract.h"
#ifdef TANDEM_SIMT
#include "lib/simt/cuda.h"
#endif

namespace tandem {

namespace detail {
template <class T>
inline constexpr T kSmallestNormal = std::numeric_limits<T>::min();
}

/// False for zero, for numbers so small that their reciprocal may overflow, and for NaN.
template <class T>
TANDEM_HD bool usable(T pivot) {
  return (pivot < T(0) ? -pivot : pivot) >= detail::kSmallestNormal<T>;
}

/// Notes in args.status that row `row` of system `system` has no usable pivot; the first of all systems is kept.
template <class Args>
TANDEM_HD void report_pivot(const Args& a, std::int64_t system, std::int64_t row) {
  const std::uint64_t failure = Tridiagonal::failure(a.n, system, row < a.n ? row : a.n - 1);
#if defined(__CUDA_ARCH__)
  atomicMax(reinterpret_cast<unsigned long long*>(a.status), failure);
#elif defined(TANDEM_SIMT)
  atomicMax(a.status, failure);
#else
  std::atomic_ref<std::uint64_t> status(*a.status);
  std::uint64_t old = status.load();
  while (old < failure && !status.compare_exchange_weak(old, failure)) {
  }
#endif
}

/// Thomas: down the rows each unknown is expressed by the next, x[i] = d′[i] − c′[i]·x[i+1]; up the rows the values
/// follow. d′ waits in x; c′[i] waits in above[i · step]. One reciprocal per row.
template <class Args, class T>
TANDEM_HD void thomas(const Args& a, std::int64_t system, T* above, std::int64_t step) {
  const auto [m, v, n] = a.locate(system);
  T c = 0, d = 0;
  std::int64_t failed = n;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = m + i * a.matrix.row;
    const T lower = i > 0 ? a.lower[at] : T(0), upper = i + 1 < n ? a.upper[at] : T(0);
    const T pivot = a.diag[at] - lower * c;
    if (!usable(pivot) && failed == n) failed = i;
    const T r = T(1) / pivot;
    c = upper * r;
    d = (a.rhs[v + i * a.vector.row] - lower * d) * r;
    above[i * step] = c;
    a.x[v + i * a.vector.row] = d;
  }
  for (std::int64_t i = n - 2; i >= 0; --i) {
    d = a.x[v + i * a.vector.row] - above[i * step] * d;
    a.x[v + i * a.vector.row] = d;
  }
  if (failed < n) report_pivot(a, system, failed);
}

/// Thomas with partial pivoting: of the row that is left over and the next one, that with the larger first coefficient
/// eliminates the other, x[i] + c′·x[i+1] + e′·x[i+2] = d′. e′[i] waits in second[i · step].
template <class Args, class T>
TANDEM_HD void thomas_pivoting(const Args& a, std::int64_t system, T* above, T* second, std::int64_t step) {
  const auto [m, v, n] = a.locate(system);
  std::int64_t failed = n;
  T diag = a.diag[m], upper = n > 1 ? a.upper[m] : T(0), rhs = a.rhs[v];  // the row that is left over
  for (std::int64_t i = 0; i < n; ++i) {
    const bool more = i + 1 < n;
    const std::int64_t at = m + (i + 1) * a.matrix.row;
    const T lower = more ? a.lower[at] : T(0), next_diag = more ? a.diag[at] : T(0),
            next_upper = i + 2 < n ? a.upper[at] : T(0),
            next_rhs = more ? a.rhs[v + (i + 1) * a.vector.row] : T(0);
    const bool exchange = std::fabs(lower) > std::fabs(diag);
    const T pivot = exchange ? lower : diag, r = T(1) / pivot;
    if (!usable(pivot) && failed == n) failed = i;
    const T c = (exchange ? next_diag : upper) * r, e = (exchange ? next_upper : T(0)) * r,
            d = (exchange ? next_rhs : rhs) * r;
    above[i * step] = c;
    second[i * step] = e;
    a.x[v + i * a.vector.row] = d;
    const T factor = exchange ? diag : lower;
    diag = (exchange ? upper : next_diag) - factor * c;
    upper = (exchange ? T(0) : next_upper) - factor * e;
    rhs = (exchange ? rhs : next_rhs) - factor * d;
  }
  T after = 0, after_next = 0;
  for (std::int64_t i = n - 1; i >= 0; --i) {
    const T x = a.x[v + i * a.vector.row] - above[i * step] * after - second[i * step] * after_next;
    a.x[v + i * a.vector.row] = x;
    after_next = after;
    after = x;
  }
  if (failed < n) report_pivot(a, system, failed);
}

}  // namespace tandem
