#pragma once
// One row of the substitution.

#include "lib/ops/sptrsv/contract.h"

namespace tandem {

/// Solves row r, one element after the other, once all that it needs is in x.
template <class Args>
TANDEM_HD void solve_row(const Args& a, std::int64_t r) {
  using T = std::remove_pointer_t<decltype(a.x)>;
  T sum = 0, diagonal = 0;
  for (std::int64_t k = a.offsets[r], end = a.offsets[r + 1]; k < end; ++k) {
    const std::int64_t j = a.columns[k];
    if (a.needs(r, j))
      sum += a.values[k] * a.x[j];
    else if (a.divides(r, j))
      diagonal += a.values[k];
  }
  a.x[r] = a.solved(r, sum, diagonal);
}

}  // namespace tandem
