#pragma once
// Checks of sparse matrices in host memory.

#include "tandem/sparse_rows.h"

namespace tandem::detail {

/// Throws InvalidArgument where one of these is not from 0 to 2^31 − 1.
void require_sides(const char* function, std::int64_t rows, std::int64_t cols);
/// Throws InvalidArgument where rows, cols or an element is out of range, or lists do not go together.
void require_inside(const char* function, const SparseElements& all);
void require_inside(const char* function, const SparseRows& a);

}  // namespace tandem::detail
