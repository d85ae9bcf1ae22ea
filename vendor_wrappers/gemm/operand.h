#pragma once
// An operand of gemm as BLAS wants it described.

#include <algorithm>

#include "tandem/matrix.h"

namespace tandem {

struct BlasOperand {
  bool transposed;  // of a row-major matrix
  std::int64_t ld;
};
/// A single line may have any leading dimension here; BLAS wants one of at least its length.
template <class T>
BlasOperand blas_operand(const Strided<const T>& x, std::int64_t cols) {
  const bool transposed = x.col != 1;
  return {transposed, std::max(transposed ? x.col : x.row, transposed ? 1 : std::max<std::int64_t>(cols, 1))};
}

}  // namespace tandem
