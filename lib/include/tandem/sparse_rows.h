#pragma once
// Sparse matrices in host memory, element by element and row by row, and what one becomes another by.

#include <cstdint>
#include <vector>

#include "tandem/export.h"
#include "tandem/matrix.h"

namespace tandem {

/// Elements in any order, each by the numbers of its row and its column, from 0 on, and its value. Several at one place add up.
struct SparseElements {
  std::int64_t rows = 0, cols = 0;  // at most 2^31 − 1 each
  std::vector<std::int32_t> row_numbers, column_numbers;
  std::vector<double> values;
};

/// The same row by row, as CsrMatrix takes it.
struct SparseRows {
  std::int64_t rows = 0, cols = 0;  // at most 2^31 − 1 each
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

// Each of these throws InvalidArgument where its argument is no such matrix (rows or cols out of range, lists of lengths that do not
// go together, an offset that falls, an element outside the matrix: its number and the values), and OutOfMemory.

/// Elements of a row stay in their order. O(rows + elements).
TANDEM_API SparseRows by_rows(const SparseElements& elements);
/// The elements of a dense matrix that are not 0, NaN among them, each row's by their columns. O(rows · cols).
TANDEM_API SparseRows from_dense(const MatrixView<const double>& dense);
/// Row by row, in their order. O(rows + elements).
TANDEM_API SparseElements by_elements(const SparseRows& a);

/// Aᵀ row by row, which is A column by column (CSC): offsets say where columns of A begin, columns holds numbers of rows. In each
/// the elements stand in the order of the rows of A. O(rows + cols + elements).
TANDEM_API SparseRows transposed(const SparseRows& a);

/// The same matrix with the elements of each row in ascending order of their columns, and one for each place: several are added up
/// in their order. A stored 0 stays. O(rows + cols + elements).
TANDEM_API SparseRows canonical(const SparseRows& a);

/// All elements, rows × cols of them, row by row; several at one place are added up in their order. O(rows · cols + elements).
TANDEM_API std::vector<double> to_dense(const SparseRows& a);

}  // namespace tandem
