#pragma once
// Checks of sparse matrices in host memory.

#include <span>

#include "tandem/sparse_rows.h"

namespace tandem::detail {

/// Throws InvalidArgument where one of these is not from 0 to 2^31 − 1.
void require_sides(const char* function, std::int64_t rows, std::int64_t cols);
/// Throws InvalidArgument where rows, cols or an element is out of range, or lists do not go together.
void require_inside(const char* function, const SparseElements& all);
void require_inside(const char* function, const SparseRows& a);

/// A matrix in slices of padded rows (SparseSlices), without its values; without row numbers each row is at the position of its own.
struct SlicePattern {
  std::int64_t rows, cols, slice_rows;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> columns, row_numbers;
};
/// A matrix in dense blocks (SparseBlocks), of its values their number.
struct BlockPattern {
  std::int64_t rows, cols, block_rows, block_cols;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> columns;
  std::int64_t values;
};
/// Each throws InvalidArgument where lists do not go together, whose sizes are given, or a side is out of range.
void require_sizes(const char* function, const SlicePattern& a, std::int64_t offsets,
                   std::int64_t row_numbers);
void require_sizes(const char* function, const BlockPattern& a, std::int64_t offsets, std::int64_t blocks);
/// And where a number is.
void require_pattern(const char* function, const SlicePattern& a);
void require_pattern(const char* function, const BlockPattern& a);

}  // namespace tandem::detail
