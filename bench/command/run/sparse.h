#pragma once
// What the commands of operations with a sparse matrix read.

#include "bench/command/run/run.h"
#include "lib/core/host_memory.h"
#include "tandem/matrix_market.h"

namespace tandem::command {

/// The matrix of a file of Matrix Market, by rows.
inline SparseRows read_sparse(const std::string& path) {
  const SparseElements elements = read_matrix_market(path);
  require_host_memory(
      fmt::format("a matrix of {} x {}", elements.rows, elements.cols),
      40 * static_cast<double>(elements.rows) + 32 * static_cast<double>(elements.values.size()));
  return by_rows(elements);
}

/// A vector as long as one side of the matrix.
inline InputArray read_vector(const std::string& path, std::int64_t size, const char* side) {
  InputArray array = read_array(path, 1);
  if (array.size() != size)
    throw BadFile(array.file,
                  fmt::format("holds {} elements; the matrix has {} {}", array.size(), size, side));
  return array;
}

}  // namespace tandem::command
