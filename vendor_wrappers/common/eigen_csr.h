#pragma once
// The sparse matrix of a call as Eigen takes it.

#include <Eigen/SparseCore>

#include "lib/ops/segmented_reduce/contract.h"
#include "tandem/context.h"

namespace tandem {

/// Eigen wants offsets of the type that column numbers have: the caller's, where there are such, or copies in memory of the context.
template <class Column>
const Column* eigen_offsets(const SegmentedReduce::Layout& rows, Context& ctx) {
  if constexpr (std::is_same_v<Column, std::int64_t>) {
    if (rows.offsets) return rows.offsets;
  }
  auto* const offsets = ctx.scratch<Column>(rows.count + 1);
  for (std::int64_t r = 0; r <= rows.count; ++r) offsets[r] = static_cast<Column>(rows.begin(r));
  return offsets;
}

template <class T, class Column>
using EigenCsr = Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, Column>>;

}  // namespace tandem
