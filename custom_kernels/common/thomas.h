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
/// follow. d′ waits in x; c′[i] waits in above[i · step]. One reciprocal per row.
template <class Args, class T>
TANDEM_HD void thomas(const Args& a, std::int64_t system, T* above, std::int64_t step) {
  const std::int64_t m = a.start(a.matrix, system), v = a.start(a.vector, system);
  T c = 0, d = 0;
  std::int64_t failed = a.n;
  for (std::int64_t i = 0; i < a.n; ++i) {
    const std::int64_t at = m + i * a.matrix.row;
    const T lower = i > 0 ? a.lower[at] : T(0);
    const T pivot = a.diag[at] - lower * c;
    if (!usable(pivot) && failed == a.n) failed = i;
    const T r = T(1) / pivot;
    d = (a.rhs[v + i * a.vector.row] - lower * d) * r;
    a.x[v + i * a.vector.row] = d;
    if (i + 1 < a.n) {
      c = a.upper[at] * r;
      above[i * step] = c;
    }
  }
  for (std::int64_t i = a.n - 2; i >= 0; --i) {
    d = a.x[v + i * a.vector.row] - above[i * step] * d;
    a.x[v + i * a.vector.row] = d;
  }
  if (failed < a.n) report_pivot(a, system, failed);
}

}  // namespace tandem
