#pragma once
// Sparse matrices in host memory, element by element and row by row, and Matrix Market files of them (Boisvert, Pozo, Remington
// 1996, "The Matrix Market exchange formats").

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/export.h"

namespace tandem {

/// Elements in any order, each by the numbers of its row and its column, from 0 on, and its value. Several at one place add up.
struct SparseElements {
  std::int64_t rows = 0, cols = 0;  // at most 2^31 − 1 each
  std::vector<std::int32_t> row_numbers, column_numbers;
  std::vector<double> values;
};

/// The same row by row, as CsrMatrix takes it.
struct SparseRows {
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

/// Elements of a row stay in their order. Throws InvalidArgument (rows or cols out of range, lists of different lengths, an element
/// outside the matrix: its number), OutOfMemory. O(rows + elements).
TANDEM_API SparseRows by_rows(const SparseElements& elements);

/// Reads the matrix in `path`: coordinate, of real, integer or pattern (each value 1), general, symmetric or skew-symmetric; of the
/// last two elements below the diagonal give those above it, too, each behind its own. Throws BadFile with the line: of another
/// form (arrays, complex numbers, Hermitian matrices), what is no number, or out of range, more or fewer elements than the file
/// says. Memory is taken only for elements that are there. O(size).
TANDEM_API SparseElements read_matrix_market(const std::string& path);

/// Writes coordinate real general; what is read from there are the same elements, bit for bit. A file that is already there stays as
/// it is until the new one is complete on the disk. Throws InvalidArgument (as by_rows), BadFile (the system's reason).
TANDEM_API void write_matrix_market(const std::string& path, const SparseElements& elements);

}  // namespace tandem
