#pragma once
// A small sparse matrix, and when two are the same: for tests of what one becomes.

#include <cstdint>
#include <vector>

#include "tandem/sparse_rows.h"

namespace tandem {

using Offsets = std::vector<std::int64_t>;
using Numbers = std::vector<std::int32_t>;
using Values = std::vector<double>;

/// 3 × 4 with an empty row; row 2 has columns in no order, and one of them twice.
inline const SparseRows kSmall{3, 4, {0, 2, 2, 6}, {0, 3, 2, 1, 2, 0}, {1, 2, 3, 4, 5, 6}};

inline bool same(const SparseRows& a, const SparseRows& b) {
  return a.rows == b.rows && a.cols == b.cols && a.offsets == b.offsets && a.columns == b.columns &&
         a.values == b.values;
}

}  // namespace tandem
