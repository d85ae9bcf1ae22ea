#pragma once
// Sparse matrices that own their arrays, in the memory of a context, and what makes them: arrays with other indices, the rows of
// another matrix, its columns, elements in any order.

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/array.h"
#include "tandem/sparse.h"
#include "tandem/sparse_rows.h"
#include "tandem/types.h"

namespace tandem {

/// A sparse matrix by rows with its arrays. Movable, not copyable; outlives its context safely.
template <class T>
class OwnedCsr {
 public:
  /// Nothing is looked at but sizes, as by CsrMatrix<T>::unchecked.
  OwnedCsr(std::int64_t rows, std::int64_t cols, Array<std::int64_t> offsets, Array<std::int32_t> columns,
           Array<T> values)
      : offsets_(std::move(offsets)),
        columns_(std::move(columns)),
        values_(std::move(values)),
        view_(CsrMatrix<T>::unchecked(rows, cols, offsets_, columns_, values_)) {}
  /// Looks at all of it, as CsrMatrix does, and waits for that.
  OwnedCsr(Context& ctx, std::int64_t rows, std::int64_t cols, Array<std::int64_t> offsets,
           Array<std::int32_t> columns, Array<T> values)
      : offsets_(std::move(offsets)),
        columns_(std::move(columns)),
        values_(std::move(values)),
        view_(ctx, rows, cols, offsets_, columns_, values_) {}

  /// What calls take, as long as this lives.
  const CsrMatrix<T>& view() const { return view_; }
  const Array<std::int64_t>& offsets() const { return offsets_; }
  const Array<std::int32_t>& columns() const { return columns_; }
  /// May change between calls.
  Array<T>& values() { return values_; }
  const Array<T>& values() const { return values_; }

 private:
  Array<std::int64_t> offsets_;
  Array<std::int32_t> columns_;
  Array<T> values_;
  CsrMatrix<T> view_;
};

namespace detail {
/// Integers of a type that is forgotten.
struct Indices {
  const void* data;
  std::int64_t size;
  Type type;
};
template <class Container>
Indices indices(const Container& container) {
  using I = element_of<const Container>;
  static_assert(
      std::is_same_v<I, std::int32_t> || std::is_same_v<I, std::int64_t> || std::is_same_v<I, std::uint32_t>,
      "offsets and columns must hold int32, int64 or uint32");
  return {view(container).data, view(container).size, type_of<I>};
}

/// Copies, through host memory, as CsrMatrix takes them; it looks at what they become. Throws InvalidArgument for the first column
/// number that is out of range or does not fit.
TANDEM_API Array<std::int64_t> copy_offsets(Context& ctx, const Indices& offsets);
TANDEM_API Array<std::int32_t> copy_columns(Context& ctx, std::int64_t cols, const Indices& columns);
TANDEM_API void copy_values(Context& ctx, ConstMemory values, std::size_t value_bytes, void* to);

/// All of a CooMatrix but its values.
class TANDEM_API CooPattern {
 public:
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t elements() const { return elements_; }
  IndexNumbers row_numbers() const { return row_numbers_; }
  IndexNumbers column_numbers() const { return column_numbers_; }

 protected:
  CooPattern(std::int64_t rows, std::int64_t cols, const IndexList& row_numbers,
             const IndexList& column_numbers, std::int64_t values);
  CooPattern(Context& ctx, std::int64_t rows, std::int64_t cols, const IndexList& row_numbers,
             const IndexList& column_numbers, ConstMemory values, std::size_t value_bytes);

 private:
  std::int64_t rows_, cols_, elements_;
  IndexNumbers row_numbers_, column_numbers_;
};

struct CsrIndices {
  Array<std::int64_t> offsets;
  Array<std::int32_t> columns;
};
/// values_out: as many as there are elements.
TANDEM_API CsrIndices transposed(Context& ctx, const CsrPattern& a, const void* values,
                                 std::size_t value_bytes, void* values_out);
TANDEM_API CsrIndices to_csr(Context& ctx, const CooPattern& a, const void* values, std::size_t value_bytes,
                             void* values_out);
/// A copy in host memory, for `function`; waits for it.
TANDEM_API SparseRows in_host_memory(Context& ctx, const char* function, const CsrPattern& a,
                                     ConstMemory values, Type type);
}  // namespace detail

/// A rows × cols matrix of elements in any order: values[k] in row row_numbers[k] and column column_numbers[k]; those at one place
/// add up. A view, as CsrMatrix is.
template <class T>
class CooMatrix : public detail::CooPattern {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "CooMatrix holds elements of type float or double");

 public:
  /// rows, cols: from 0 to 2^31 − 1; row_numbers, column_numbers: std::int32_t or std::int64_t, as many as values. Looks at all of them, and waits
  /// for that. Throws InvalidArgument (rows, cols or a number out of range: which one and its value; sizes that differ, null
  /// pointers, memory of another place), OutOfMemory. O(elements).
  template <Viewable Rows, Viewable Columns, Viewable Values>
  CooMatrix(Context& ctx, std::int64_t rows, std::int64_t cols, const Rows& row_numbers,
            const Columns& column_numbers, const Values& values)
      : CooPattern(ctx, rows, cols, detail::index_list(row_numbers), detail::index_list(column_numbers),
                   detail::const_memory(values), sizeof(T)),
        values_(view(values).data) {}

  /// Nothing is looked at but sizes: of elements in rows that are not there, to_csr makes no matrix.
  template <Viewable Rows, Viewable Columns, Viewable Values>
  static CooMatrix unchecked(std::int64_t rows, std::int64_t cols, const Rows& row_numbers,
                             const Columns& column_numbers, const Values& values) {
    return CooMatrix(rows, cols, detail::index_list(row_numbers), detail::index_list(column_numbers),
                     {view(values).data, view(values).size});
  }

  const T* values() const { return values_; }

 private:
  CooMatrix(std::int64_t rows, std::int64_t cols, const detail::IndexList& row_numbers,
            const detail::IndexList& column_numbers, View<const T> values)
      : CooPattern(rows, cols, row_numbers, column_numbers, values.size), values_(values.data) {}

  const T* values_;
};
template <class Rows, class Columns, class Values>
CooMatrix(Context&, std::int64_t, std::int64_t, const Rows&, const Columns&, const Values&)
    -> CooMatrix<element_of<const Values>>;

/// A rows × cols matrix column by column (compressed sparse columns): a view, which is the CsrMatrix of its transposed.
template <class T>
class CscMatrix {
 public:
  /// offsets: where columns begin; row_numbers: of the elements; otherwise, and as to errors, as
  /// CsrMatrix(ctx, cols, rows, offsets, row_numbers, values).
  template <Viewable Offsets, Viewable Rows, Viewable Values>
  CscMatrix(Context& ctx, std::int64_t rows, std::int64_t cols, const Offsets& offsets,
            const Rows& row_numbers, const Values& values)
      : transposed_(ctx, cols, rows, offsets, row_numbers, values) {}
  explicit CscMatrix(const CsrMatrix<T>& transposed) : transposed_(transposed) {}

  std::int64_t rows() const { return transposed_.cols(); }
  std::int64_t cols() const { return transposed_.rows(); }
  std::int64_t elements() const { return transposed_.elements(); }
  /// Aᵀ by rows: products with it are those with the transposed, and copy nothing.
  const CsrMatrix<T>& transposed() const { return transposed_; }

 private:
  CsrMatrix<T> transposed_;
};
template <class Offsets, class Rows, class Values>
CscMatrix(Context&, std::int64_t, std::int64_t, const Offsets&, const Rows&, const Values&)
    -> CscMatrix<element_of<const Values>>;

// Each of these waits for its result. Throws InvalidArgument (below, and null pointers, memory of another place), OutOfMemory,
// DeviceError. What they make has column numbers of 32 bits.

/// A copy of a matrix with indices of any width, in the memory of the context. offsets, columns: std::int32_t, std::int64_t or
/// std::uint32_t, each of its own; values: float or double. Indices pass through host memory, where all are looked at: InvalidArgument names
/// the first column number that is out of range or does not fit in 31 bits, and what CsrMatrix refuses. O(rows + elements).
template <Viewable Offsets, Viewable Columns, Viewable Values>
OwnedCsr<element_of<const Values>> copy_csr(Context& ctx, std::int64_t rows, std::int64_t cols,
                                            const Offsets& offsets, const Columns& columns,
                                            const Values& values) {
  using T = element_of<const Values>;
  const detail::ConstMemory from = detail::const_memory(values);
  Array<std::int64_t> all_offsets = detail::copy_offsets(ctx, detail::indices(offsets));
  Array<std::int32_t> all_columns = detail::copy_columns(ctx, cols, detail::indices(columns));
  Array<T> all_values(ctx, from.size);
  detail::copy_values(ctx, from, sizeof(T), all_values.data());
  return {ctx, rows, cols, std::move(all_offsets), std::move(all_columns), std::move(all_values)};
}

/// A matrix of host memory in that of the context; all of it is looked at. Values are rounded to T.
template <class T>
OwnedCsr<T> to_csr(Context& ctx, const SparseRows& a) {
  return {ctx,
          a.rows,
          a.cols,
          Array<std::int64_t>(ctx, a.offsets),
          Array<std::int32_t>(ctx, a.columns),
          Array<T>(ctx, std::vector<T>(a.values.begin(), a.values.end()))};
}

/// Aᵀ by rows, so that spmv, spmm and sptrsv of it are those of the transposed. The elements of each row stand in the order of the
/// rows of A, and those of one row of A in their order there. A: at most 2^31 − 1 rows. Two stable sorts of the column numbers, one
/// that moves row numbers and one that moves values, and two lookups by bisection: O(elements · log(rows) + cols · log(elements))
/// work. Takes memory for the result and two more numbers for each element; column
/// numbers of 64 bits are copied besides, by way of host memory, and InvalidArgument names the first that does not fit in 31.
template <class T>
OwnedCsr<T> transposed(Context& ctx, const CsrMatrix<T>& a) {
  Array<T> values(ctx, a.elements());
  detail::CsrIndices all = detail::transposed(ctx, a, a.values(), sizeof(T), values.data());
  return {a.cols(), a.rows(), std::move(all.offsets), std::move(all.columns), std::move(values)};
}

/// By rows, each with its elements in their order in A. As transposed(): O(elements + rows · log(elements)) beside the sorts.
template <class T>
OwnedCsr<T> to_csr(Context& ctx, const CooMatrix<T>& a) {
  Array<T> values(ctx, a.elements());
  detail::CsrIndices all = detail::to_csr(ctx, a, a.values(), sizeof(T), values.data());
  return {a.rows(), a.cols(), std::move(all.offsets), std::move(all.columns), std::move(values)};
}
/// By rows, each with its elements by columns: transposed(ctx, a.transposed()).
template <class T>
OwnedCsr<T> to_csr(Context& ctx, const CscMatrix<T>& a) {
  return transposed(ctx, a.transposed());
}

}  // namespace tandem
