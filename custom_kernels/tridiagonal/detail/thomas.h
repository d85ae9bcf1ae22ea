#pragma once
// Thomas' elimination of one system by one thread, of the host or of the device, without and with partial
// pivoting.

#include <cmath>

#include "lib/ops/tridiagonal/pivot.h"

namespace tandem {

/// Called by one thread. Down the rows each unknown is expressed by the next, x[i] = d′[i] − c′[i]·x[i+1]; up
/// the rows the values follow. d′ is kept in x, c′[i] in above[i · step]. One reciprocal per row.
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

/// Called by one thread. Thomas with partial pivoting: of the remaining row and the next one, that with the
/// larger first coefficient becomes the pivot row, x[i] + c′·x[i+1] + e′·x[i+2] = d′, and eliminates the
/// other. e′[i] is kept in second[i · step].
template <class Args, class T>
TANDEM_HD void thomas_pivoting(const Args& a, std::int64_t system, T* above, T* second, std::int64_t step) {
  const auto [m, v, n] = a.locate(system);
  std::int64_t failed = n;
  T diag = a.diag[m], upper = n > 1 ? a.upper[m] : T(0), rhs = a.rhs[v];  // the remaining row
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
