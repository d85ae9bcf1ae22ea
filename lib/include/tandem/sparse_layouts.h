#pragma once
// Other layouts of sparse matrices in host memory: blocks (BSR), slices of padded rows (SELL-C-σ), single vectors.

#include <cstdint>
#include <vector>

#include "tandem/export.h"
#include "tandem/sparse_rows.h"

namespace tandem {

/// A matrix as a grid of dense blocks, of which those with elements are stored, row of blocks by row of blocks (BSR): those of
/// block row i are numbers k with offsets[i] ≤ k < offsets[i+1], block k stands in block column columns[k], and its element (r, c)
/// is values[(k · block_rows + r) · block_cols + c]. Blocks at the lower and right edges go beyond the matrix, where their
/// elements do not count. Blocks at one place add up.
struct SparseBlocks {
  std::int64_t rows = 0, cols = 0;              // of the matrix, at most 2^31 − 1 each
  std::int64_t block_rows = 1, block_cols = 1;  // of a block, from 1 to 2^31 − 1
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

/// A matrix in slices of slice_rows rows, each padded to the longest row of its slice (SELL-C-σ). Position p holds row
/// row_numbers[p] of the matrix and is number p mod slice_rows of slice p ÷ slice_rows; element j of number r of slice s is at
/// offsets[s] + j · slice_rows + r, so that those of neighbouring positions are neighbours in memory. Padding has the column −1 and
/// the value 0, as cuSPARSE has it, and so have positions behind the last row.
struct SparseSlices {
  std::int64_t rows = 0, cols = 0;  // at most 2^31 − 1 each
  std::int64_t slice_rows = 1;      // from 1 to 2^31 − 1
  std::vector<std::int32_t> row_numbers;
  std::vector<std::int64_t> offsets;  // one more than there are slices
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

/// A vector of which few elements are stored: values[k] is element numbers[k]. Several of one number add up.
struct SparseVector {
  std::int64_t size = 0;  // at most 2^31 − 1
  std::vector<std::int32_t> numbers;
  std::vector<double> values;
};

// Each of these throws InvalidArgument where its argument is no such matrix or vector, or a number beside it is out of range (its
// name, the value and the limits), and OutOfMemory, also where padding would take more memory than there is.

/// Blocks of a row by their columns; several elements at one place are added up in their order.
/// O(rows + cols / block_cols + elements · log(elements) + elements stored).
TANDEM_API SparseBlocks by_blocks(const SparseRows& a, std::int64_t block_rows, std::int64_t block_cols);
/// The elements that are not 0, NaN among them, each row's by blocks: what a block holds beside them was padding.
/// O(rows + elements stored).
TANDEM_API SparseRows by_rows(const SparseBlocks& a);

/// Within each sort_rows rows in turn (σ), those with more elements come first, and equal ones stay in their order; 1 sorts nothing.
/// Sorting saves padding. Elements of a row stay in their order. sort_rows: from 1 to 2^31 − 1.
/// O(rows · log(sort_rows) + elements stored).
TANDEM_API SparseSlices by_slices(const SparseRows& a, std::int64_t slice_rows, std::int64_t sort_rows = 1);
/// What by_slices had: a stored 0 stays. O(rows + elements stored).
TANDEM_API SparseRows by_rows(const SparseSlices& a);

/// One row of a matrix. O(rows + elements).
TANDEM_API SparseVector sparse_row(const SparseRows& a, std::int64_t row);
/// A matrix of this one row. O(elements).
TANDEM_API SparseRows by_rows(const SparseVector& x);

}  // namespace tandem
