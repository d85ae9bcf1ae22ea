#pragma once
// Pivots, for implementations of the contract: usable(), and report_pivot() for the arguments of a call.

#include "lib/ops/tridiagonal/contract.h"
#include "tandem/device/pivot.h"

namespace tandem {

/// Called by one thread: row `row` of system `system` has no usable pivot. The first failure of all systems
/// is kept.
template <class Args>
TANDEM_HD void report_pivot(const Args& a, std::int64_t system, std::int64_t row) {
  report_pivot(a.status, a.n, system, row);
}

}  // namespace tandem
