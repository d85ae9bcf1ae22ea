#pragma once
// Neighbouring rows of a slice on the CPU.

#include <algorithm>

#include "lib/ops/spmv_sell/contract.h"

namespace tandem {

inline constexpr std::int64_t kGroup = 16;  // rows: a cache line of floats, two of doubles

/// The groups of a slice: up to kGroup of its rows each.
inline std::int64_t groups_of(std::int64_t slice_rows) { return (slice_rows + kGroup - 1) / kGroup; }

inline constexpr std::int64_t kFewRows = 4;  // fewer go one by one

/// The sum of the products of the row at a position.
template <class Args, class T = decltype(Args::alpha)>
T row_sum(const Args& a, std::int64_t p) {
  T sum = 0;
  std::int64_t k = a.first(p);
  for (std::int64_t j = a.length(p); j > 0; --j, k += a.slice_rows) sum += a.product(k);
  return sum;
}

/// Multiplies the rows of a group, numbered over all slices. Their sums are independent, so additions overlap.
template <class Args, class T = decltype(Args::alpha)>
void multiply_group(const Args& a, std::int64_t group) {
  const std::int64_t per_slice = groups_of(a.slice_rows), slice = group / per_slice;
  const std::int64_t begin = slice * a.slice_rows + group % per_slice * kGroup,
                     end = std::min({a.rows, (slice + 1) * a.slice_rows, begin + kGroup});
  if (end - begin < kFewRows) {  // or none, of the last slice
    for (std::int64_t r = 0; r < end - begin; ++r) a.store(begin + r, row_sum(a, begin + r));
    return;
  }
  T sums[kGroup] = {};
  std::int64_t k = a.first(begin);
  for (std::int64_t j = a.length(begin); j > 0; --j, k += a.slice_rows) {
    for (std::int64_t r = 0; r < end - begin; ++r) sums[r] += a.product(k + r);
  }
  for (std::int64_t r = 0; r < end - begin; ++r) a.store(begin + r, sums[r]);
}

}  // namespace tandem
