#pragma once
// Checks of sparse matrices in host memory.

#include "tandem/sparse_rows.h"

namespace tandem::detail {

/// Throws InvalidArgument where rows, cols or an element is out of range, or lists do not go together.
void require_inside(const char* function, const SparseElements& all);
void require_inside(const char* function, const SparseRows& a);

}  // namespace tandem::detail
