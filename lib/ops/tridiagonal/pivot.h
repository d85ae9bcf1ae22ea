#pragma once
// Pivots, for implementations of the contract: usable(), and how the arguments of a call report that one is
// not.

#include <cmath>

#include "lib/ops/tridiagonal/contract.h"
#include "tandem/device/pivot.h"

namespace tandem {

/// Called by one thread: row `row` of system `system` has no usable pivot. The first failure of all systems
/// is kept.
template <class Args>
TANDEM_HD void report_pivot(const Args& a, std::int64_t system, std::int64_t row) {
  report_pivot(a.status, a.n, system, row);
}

/// Called by one thread, for steps that do not eliminate row after row: a pivot of the system was not
/// usable, and showed it in row `row`. Reports the row in which elimination from the top meets one, as all
/// steps do, or `row` where it meets none. O(n). Called last, when a kernel's registers are free: out of
/// line it would cost every thread a copy of the arguments on the stack.
template <class Args>
TANDEM_HD void report_first_pivot(const Args& a, std::int64_t system, std::int64_t row) {
  using T = std::remove_cvref_t<decltype(*a.diag)>;
  const auto [first, unused, n] = a.locate(system);
  struct Row {
    T lower, diag, upper;
  };
  const auto equation = [&, first = first, n = n](std::int64_t i) -> Row {
    const std::int64_t at = first + i * a.matrix.row;
    return {i > 0 ? a.lower[at] : T(0), a.diag[at], i + 1 < n ? a.upper[at] : T(0)};
  };
  report_pivot(a, system, first_unusable_pivot<T>(n, row, equation));
}

/// The same for steps that exchange rows: the row in which partial pivoting from the top meets no usable pivot.
template <class Args>
TANDEM_HD void report_first_exchanged_pivot(const Args& a, std::int64_t system, std::int64_t row) {
  using T = std::remove_cvref_t<decltype(*a.diag)>;
  const auto [first, unused, n] = a.locate(system);
  T diag = a.diag[first], upper = n > 1 ? a.upper[first] : T(0);  // the remaining row
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = first + (i + 1) * a.matrix.row;
    const T lower = i + 1 < n ? a.lower[at] : T(0), next_diag = i + 1 < n ? a.diag[at] : T(0),
            next_upper = i + 2 < n ? a.upper[at] : T(0);
    const bool exchange = std::fabs(lower) > std::fabs(diag);
    const T pivot = exchange ? lower : diag;
    if (!usable(pivot)) {
      row = i;
      break;
    }
    const T factor = (exchange ? diag : lower) / pivot;
    diag = (exchange ? upper : next_diag) - factor * (exchange ? next_diag : upper);
    upper = (exchange ? T(0) : next_upper) - factor * (exchange ? next_upper : T(0));
  }
  report_pivot(a, system, row);
}

/// Called by one thread. Whether a failure of this system or of an earlier one was reported already.
template <class Args>
TANDEM_HD bool pivot_reported(const Args& a, std::int64_t system) {
  return reported(a.status) >= PivotFailure::encode(a.n, system, a.n - 1);
}

}  // namespace tandem
