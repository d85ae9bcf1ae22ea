#pragma once
// spmv_sell: y = α·A·x + β·y for a sparse matrix A in slices of padded rows (SELL-C-σ), and such matrices.

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/error.h"
#include "tandem/options.h"
#include "tandem/sparse_arrays.h"
#include "tandem/sparse_layouts.h"
#include "tandem/spmv.h"

namespace tandem {

namespace detail {
/// All of a SellMatrix but its values.
class TANDEM_API SellPattern {
 public:
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t slice_rows() const { return slice_rows_; }
  std::int64_t slices() const { return (rows_ + slice_rows_ - 1) / slice_rows_; }
  /// Elements that are stored, padding among them.
  std::int64_t stored() const { return stored_; }
  const std::int64_t* offsets() const { return offsets_; }
  const std::int32_t* columns() const { return columns_; }
  /// Null: each row at the position of its number.
  const std::int32_t* row_numbers() const { return row_numbers_; }

 protected:
  struct Arrays {
    View<const std::int64_t> offsets;
    View<const std::int32_t> columns, row_numbers;
    ConstMemory values;
  };
  /// Sizes alone.
  SellPattern(std::int64_t rows, std::int64_t cols, std::int64_t slice_rows, const Arrays& arrays);
  /// And every number.
  SellPattern(Context& ctx, std::int64_t rows, std::int64_t cols, std::int64_t slice_rows,
              const Arrays& arrays, std::size_t value_bytes);

 private:
  std::int64_t rows_, cols_, slice_rows_, stored_;
  const std::int64_t* offsets_;
  const std::int32_t *columns_, *row_numbers_;
};
}  // namespace detail

/// A rows × cols matrix in slices of slice_rows rows, each padded to the longest row of its slice: SparseSlices in anybody's memory.
/// Element j of row r of slice s is at offsets[s] + j · slice_rows + r, so that those of neighbouring rows are neighbours in memory.
/// Padding has the column −1 and the value 0, and so has what lies past the last row. Position p holds row row_numbers[p], or row p
/// without these. Several elements in one column of a row add up. A view: the arrays stay the
/// caller's, in the memory of the context that calls are made in. Values may change between calls.
template <class T>
class SellMatrix : public detail::SellPattern {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "SellMatrix holds elements of type float or double");

 public:
  /// rows, cols: from 0 to 2^31 − 1; slice_rows: from 1 to 2^31 − 1; offsets: std::int64_t, one more than there are slices,
  /// ascending from 0 to the size of columns in multiples of slice_rows; columns: std::int32_t, −1 or from 0 to cols − 1; values: one for each
  /// of columns; row_numbers: std::int32_t, each row once, or an empty View. Looks at all of these but values, and waits for that. Throws
  /// InvalidArgument (a size or number out of range: which one and its value; null pointers, memory of another place), OutOfMemory.
  /// O(rows + stored).
  template <Viewable Offsets, Viewable Columns, Viewable Values, Viewable Rows = View<const std::int32_t>>
  SellMatrix(Context& ctx, std::int64_t rows, std::int64_t cols, std::int64_t slice_rows,
             const Offsets& offsets, const Columns& columns, const Values& values,
             const Rows& row_numbers = {})
      : SellPattern(ctx, rows, cols, slice_rows, arrays(offsets, columns, values, row_numbers), sizeof(T)),
        values_(view(values).data) {}

  /// Nothing is looked at but sizes: offsets that fall or end elsewhere, and rows and columns that are not there, read and write
  /// anywhere.
  template <Viewable Offsets, Viewable Columns, Viewable Values, Viewable Rows = View<const std::int32_t>>
  static SellMatrix unchecked(std::int64_t rows, std::int64_t cols, std::int64_t slice_rows,
                              const Offsets& offsets, const Columns& columns, const Values& values,
                              const Rows& row_numbers = {}) {
    return SellMatrix(rows, cols, slice_rows, arrays(offsets, columns, values, row_numbers),
                      view(values).data);
  }

  const T* values() const { return values_; }

 private:
  SellMatrix(std::int64_t rows, std::int64_t cols, std::int64_t slice_rows, const Arrays& arrays,
             const T* values)
      : SellPattern(rows, cols, slice_rows, arrays), values_(values) {}
  template <class Offsets, class Columns, class Values, class Rows>
  static Arrays arrays(const Offsets& offsets, const Columns& columns, const Values& values,
                       const Rows& row_numbers) {
    return {{view(offsets).data, view(offsets).size},
            {view(columns).data, view(columns).size},
            {view(row_numbers).data, view(row_numbers).size},
            detail::const_memory(values)};
  }

  const T* values_;
};
template <class Offsets, class Columns, class Values, class... Rows>
SellMatrix(Context&, std::int64_t, std::int64_t, std::int64_t, const Offsets&, const Columns&, const Values&,
           const Rows&...) -> SellMatrix<element_of<const Values>>;

/// Such a matrix with its arrays. Movable, not copyable; outlives its context safely.
template <class T>
class OwnedSell {
 public:
  /// Copies to the memory of the context what by_slices() made, and looks at it as SellMatrix does. Positions that are the numbers of
  /// their rows get no row_numbers.
  OwnedSell(Context& ctx, const SparseSlices& a)
      : offsets_(ctx, a.offsets),
        columns_(ctx, a.columns),
        values_(ctx, std::vector<T>(a.values.begin(), a.values.end())),
        row_numbers_(ctx, order_of(a)),
        view_(ctx, a.rows, a.cols, a.slice_rows, offsets_, columns_, values_, row_numbers_) {}

  /// What calls take, as long as this lives.
  const SellMatrix<T>& view() const { return view_; }
  const Array<std::int64_t>& offsets() const { return offsets_; }
  const Array<std::int32_t>& columns() const { return columns_; }
  /// Empty where each row is at the position of its number.
  const Array<std::int32_t>& row_numbers() const { return row_numbers_; }
  /// May change between calls.
  Array<T>& values() { return values_; }
  const Array<T>& values() const { return values_; }

 private:
  static std::vector<std::int32_t> order_of(const SparseSlices& a) {
    if (static_cast<std::int64_t>(a.row_numbers.size()) != a.rows)
      throw InvalidArgument("OwnedSell: row_numbers must be as many as rows");
    for (std::size_t p = 0; p < a.row_numbers.size(); ++p) {
      if (a.row_numbers[p] != static_cast<std::int32_t>(p)) return a.row_numbers;
    }
    return {};
  }

  Array<std::int64_t> offsets_;
  Array<std::int32_t> columns_;
  Array<T> values_;
  Array<std::int32_t> row_numbers_;
  SellMatrix<T> view_;
};

namespace detail {
/// A copy in host memory; waits for it.
TANDEM_API SparseSlices in_host_memory(Context& ctx, const SellPattern& a, ConstMemory values, Type type);

/// alpha, beta: one number of the elements' type each, in host memory.
TANDEM_API void spmv_sell(Context& ctx, Type type, const SellPattern& a, const void* values,
                          const void* alpha, ConstMemory x, const void* beta, Memory y,
                          const Options& options);
}  // namespace detail

/// by_slices() of a matrix in the memory of a context, by way of host memory. Waits for its result; errors as by_slices().
template <class T>
OwnedSell<T> to_sell(Context& ctx, const CsrMatrix<T>& a, std::int64_t slice_rows = 32,
                     std::int64_t sort_rows = 1) {
  const detail::ConstMemory values{a.values(), a.elements()};
  return {ctx,
          by_slices(detail::in_host_memory(ctx, "to_sell", a, values, type_of<T>), slice_rows, sort_rows)};
}
/// by_rows() of it, likewise.
template <class T>
OwnedCsr<T> to_csr(Context& ctx, const SellMatrix<T>& a) {
  return to_csr<T>(ctx, by_rows(detail::in_host_memory(ctx, a, {a.values(), a.stored()}, type_of<T>)));
}

/// y = α·A·x + β·y in the memory of the context, without waiting for it, as spmv() of the same matrix by rows, with its arguments,
/// bound of the error and exceptions; y must not overlap the row numbers of A either. O(rows + stored) work; allocates nothing after
/// the first call of a size.
/// Source:  Kreutzer, Hager, Wellein, Fehske, Bishop 2014, "A unified sparse matrix data format for efficient general sparse
///          matrix-vector multiplication on modern processors with wide SIMD units".
template <class T, Viewable X, Viewable Y>
void spmv(Context& ctx, const SellMatrix<T>& a, const X& x, Y&& y,
          const std::type_identity_t<SpmvFactors<T>>& factors = {}, const Options& options = {}) {
  static_assert(std::is_same_v<element_of<const X>, T> && std::is_same_v<element_of<Y>, T>,
                "spmv: A, x and y must hold one type");
  detail::spmv_sell(ctx, type_of<T>, a, a.values(), &factors.alpha, detail::const_memory(x), &factors.beta,
                    detail::memory(y), options);
}

}  // namespace tandem
