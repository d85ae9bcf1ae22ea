#pragma once
// What `tandem run` does with sparse matrices.

#include "bench/command/run/run.h"
#include "lib/core/host_memory.h"
#include "tandem/matrix_market.h"

namespace tandem::command {

/// A Matrix Market file, row by row.
inline SparseRows read_rows(const std::string& path) {
  const SparseElements elements = read_matrix_market(path);
  require_host_memory(
      fmt::format("a matrix of {} x {}", elements.rows, elements.cols),
      40 * static_cast<double>(elements.rows) + 32 * static_cast<double>(elements.values.size()));
  return by_rows(elements);
}

/// The same in the memory of a context, as CsrMatrix takes it.
template <class T>
struct PlacedRows {
  Array<std::int64_t> offsets;
  Array<std::int32_t> columns;
  Array<T> values;
  CsrMatrix<T> matrix;

  PlacedRows(Context& ctx, const SparseRows& a)
      : offsets(ctx, a.offsets),
        columns(ctx, a.columns),
        values(ctx, std::vector<T>(a.values.begin(), a.values.end())),
        matrix(ctx, a.rows, a.cols, offsets, columns, values) {}
};

/// A vector as long as one side of the matrix.
inline InputArray read_vector(const std::string& path, std::int64_t size, const char* side) {
  InputArray array = read_array(path, 1);
  if (array.size() != size)
    throw BadFile(array.file,
                  fmt::format("holds {} elements; the matrix has {} {}", array.size(), size, side));
  return array;
}

/// What is added to a product must hold the type of what is multiplied.
inline void require_type_of(const InputArray& added, const InputArray& factor) {
  if (added.type == factor.type) return;
  throw BadFile(added.file, fmt::format("holds {}; it must hold {}, as {} does", name(added.type),
                                        name(factor.type), factor.file));
}

}  // namespace tandem::command
