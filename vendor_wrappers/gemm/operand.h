#pragma once
// Describes an operand of gemm in the terms of BLAS.

#include <algorithm>

#include "tandem/matrix.h"

namespace tandem {

struct BlasOperand {
  bool transposed;  // stored column-major
  std::int64_t ld;
};
/// A matrix of one row or column may have any leading dimension here; BLAS requires at
/// least the length of a line.
template <class T>
BlasOperand blas_operand(const Strided<const T>& x, std::int64_t cols) {
  const bool transposed = x.col != 1;
  return {transposed, std::max(transposed ? x.col : x.row, transposed ? 1 : std::max<std::int64_t>(cols, 1))};
}

}  // namespace tandem
