#pragma once
// Elimination of one system by one thread, and what every solver says about a pivot that it cannot use.

#include <atomic>
#include <cmath>
#include <limits>

#include "lib/ops/tridiagonal.h"
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
/// follow. d′ waits in x; c′[i] waits in above[i · step]. One reciprocal per row. Rows are loaded kAhead at a time.
template <int kAhead = 1, class Args, class T>
TANDEM_HD void thomas(const Args& a, std::int64_t system, T* above, std::int64_t step) {
  const std::int64_t m = a.start(a.matrix, system), v = a.start(a.vector, system);
  T c = 0, d = 0;
  std::int64_t failed = a.n;
  for (std::int64_t first = 0; first < a.n; first += kAhead) {
    T lower[kAhead], diag[kAhead], upper[kAhead], rhs[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const std::int64_t i = first + k, at = m + i * a.matrix.row;
      if (i >= a.n) break;
      lower[k] = i > 0 ? a.lower[at] : T(0);
      diag[k] = a.diag[at];
      upper[k] = i + 1 < a.n ? a.upper[at] : T(0);
      rhs[k] = a.rhs[v + i * a.vector.row];
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const std::int64_t i = first + k;
      if (i >= a.n) break;
      const T pivot = diag[k] - lower[k] * c;
      if (!usable(pivot) && failed == a.n) failed = i;
      const T r = T(1) / pivot;
      c = upper[k] * r;
      d = (rhs[k] - lower[k] * d) * r;
      above[i * step] = c;
      a.x[v + i * a.vector.row] = d;
    }
  }
  for (std::int64_t last = a.n - 2; last >= 0; last -= kAhead) {
    T c_row[kAhead], d_row[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const std::int64_t i = last - k;
      if (i < 0) break;
      c_row[k] = above[i * step];
      d_row[k] = a.x[v + i * a.vector.row];
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const std::int64_t i = last - k;
      if (i < 0) break;
      d = d_row[k] - c_row[k] * d;
      a.x[v + i * a.vector.row] = d;
    }
  }
  if (failed < a.n) report_pivot(a, system, failed);
}

}  // namespace tandem
