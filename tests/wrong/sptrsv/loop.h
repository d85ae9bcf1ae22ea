#pragma once
// The loop that wrong steps on the host start from.

#include "custom_kernels/sptrsv/detail/row.h"

namespace tandem {

/// Calls solve(r) for each row in the order of substitution; right where it is solve_row.
template <class Args, class Solve>
void rows_in_turn(const Args& a, Solve solve) {
  for (std::int64_t i = 0; i < a.rows; ++i) solve(a.upper ? a.rows - 1 - i : i);
}

template <class T>
struct RowSums {
  T needed = 0, diagonal = 0;
};
/// Those of row r, of products and of the diagonal, where needs(column) and divides(column) are those of the arguments.
template <class Args, class Needs, class Divides>
auto sums_of(const Args& a, std::int64_t r, Needs needs, Divides divides) {
  RowSums<std::remove_pointer_t<decltype(a.x)>> sums;
  for (std::int64_t k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
    const std::int64_t j = a.columns[k];
    if (needs(j))
      sums.needed += a.values[k] * a.x[j];
    else if (divides(j))
      sums.diagonal += a.values[k];
  }
  return sums;
}
template <class Args>
auto row_sums(const Args& a, std::int64_t r) {
  return sums_of(
      a, r, [&](std::int64_t j) { return a.needs(r, j); }, [&](std::int64_t j) { return a.divides(r, j); });
}

}  // namespace tandem
