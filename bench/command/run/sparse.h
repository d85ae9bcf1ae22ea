#pragma once
// What `tandem run` does with sparse matrices.

#include <utility>

#include "bench/command/run/run.h"
#include "lib/core/host_memory.h"
#include "tandem/matrix_market.h"

namespace tandem::command {

/// The sparse matrix of a product, as --a and --transposed say.
struct SparseFactor {
  std::string file;
  bool transposed = false;

  /// For messages.
  const char* kind() const { return transposed ? "transposed " : ""; }
  std::string str(const SparseRows& a) const {
    return fmt::format("{} {}({}, {})", file, kind(), a.rows, a.cols);
  }
};
inline void add_sparse_factor(Command op, SparseFactor& a) {
  add_file(op, "--a", a.file, "Sparse matrix (Matrix Market, coordinate)").required();
  op.flag("--transposed", a.transposed, "A is the transposed of the matrix in the file");
}

/// A Matrix Market file, row by row; of the transposed, column by column.
inline SparseRows read_rows(const std::string& path, bool transposed = false) {
  SparseElements elements = read_matrix_market(path);
  if (transposed) {
    std::swap(elements.rows, elements.cols);
    std::swap(elements.row_numbers, elements.column_numbers);
  }
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
inline InputArray read_vector(const std::string& path, std::int64_t size, const char* side,
                              const char* kind = "") {
  InputArray array = read_array(path, 1);
  if (array.size() != size)
    throw BadFile(array.file,
                  fmt::format("holds {} elements; the {}matrix has {} {}", array.size(), kind, size, side));
  return array;
}

/// What is added to a product must hold the type of what is multiplied.
inline void require_type_of(const InputArray& added, const InputArray& factor) {
  if (added.type == factor.type) return;
  throw BadFile(added.file, fmt::format("holds {}; it must hold {}, as {} does", name(added.type),
                                        name(factor.type), factor.file));
}

}  // namespace tandem::command
