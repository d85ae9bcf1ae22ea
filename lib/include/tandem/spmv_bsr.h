#pragma once
// spmv_bsr: y = α·A·x + β·y for a sparse matrix A of dense blocks (BSR), and such matrices.

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/options.h"
#include "tandem/sparse_arrays.h"
#include "tandem/sparse_layouts.h"
#include "tandem/spmv.h"

namespace tandem {

namespace detail {
/// All of a BsrMatrix but its values.
class TANDEM_API BsrPattern {
 public:
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t block_rows() const { return block_rows_; }
  std::int64_t block_cols() const { return block_cols_; }
  /// Rows of blocks.
  std::int64_t rows_of_blocks() const { return (rows_ + block_rows_ - 1) / block_rows_; }
  /// Blocks that are stored.
  std::int64_t blocks() const { return blocks_; }
  /// Elements of these.
  std::int64_t stored() const { return blocks_ * block_rows_ * block_cols_; }
  const std::int64_t* offsets() const { return offsets_; }
  const std::int32_t* columns() const { return columns_; }

 protected:
  struct Arrays {
    View<const std::int64_t> offsets;
    View<const std::int32_t> columns;
    ConstMemory values;
  };
  /// Sizes alone.
  BsrPattern(std::int64_t rows, std::int64_t cols, std::int64_t block_rows, std::int64_t block_cols,
             const Arrays& arrays);
  /// And every number.
  BsrPattern(Context& ctx, std::int64_t rows, std::int64_t cols, std::int64_t block_rows,
             std::int64_t block_cols, const Arrays& arrays, std::size_t value_bytes);

 private:
  std::int64_t rows_, cols_, block_rows_, block_cols_, blocks_;
  const std::int64_t* offsets_;
  const std::int32_t* columns_;
};
}  // namespace detail

/// A rows × cols matrix of dense blocks, of which few are stored, row of blocks by row of blocks: SparseBlocks in anybody's memory. Block k
/// stands in block column columns[k], and its element (r, c) is values[(k · block_rows + r) · block_cols + c]. Blocks at the lower and
/// right edges go beyond the matrix, where their elements do not count; all others do, zeros among them. Blocks at one place add up.
/// A view: the arrays stay the caller's, in the memory of the context that calls are made in. Values may change between calls.
template <class T>
class BsrMatrix : public detail::BsrPattern {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "BsrMatrix holds elements of type float or double");

 public:
  /// rows, cols: from 0 to 2^31 − 1; block_rows, block_cols: from 1 to 2^31 − 1; offsets: std::int64_t, one more than there are rows
  /// of blocks, ascending from 0 to the size of columns; columns: std::int32_t, numbers of block columns; values: block_rows · block_cols for
  /// each of columns. Looks at all offsets and columns, and waits for that. Throws InvalidArgument (a size or number out of
  /// range: which one and its value; null pointers, memory of another place), OutOfMemory. O(rows of blocks + blocks).
  template <Viewable Offsets, Viewable Columns, Viewable Values>
  BsrMatrix(Context& ctx, std::int64_t rows, std::int64_t cols, std::int64_t block_rows,
            std::int64_t block_cols, const Offsets& offsets, const Columns& columns, const Values& values)
      : BsrPattern(ctx, rows, cols, block_rows, block_cols, arrays(offsets, columns, values), sizeof(T)),
        values_(view(values).data) {}

  /// Nothing is looked at but sizes: offsets that fall or end elsewhere, and columns that are not there, read anywhere.
  template <Viewable Offsets, Viewable Columns, Viewable Values>
  static BsrMatrix unchecked(std::int64_t rows, std::int64_t cols, std::int64_t block_rows,
                             std::int64_t block_cols, const Offsets& offsets, const Columns& columns,
                             const Values& values) {
    return BsrMatrix(rows, cols, block_rows, block_cols, arrays(offsets, columns, values), view(values).data);
  }

  const T* values() const { return values_; }

 private:
  BsrMatrix(std::int64_t rows, std::int64_t cols, std::int64_t block_rows, std::int64_t block_cols,
            const Arrays& arrays, const T* values)
      : BsrPattern(rows, cols, block_rows, block_cols, arrays), values_(values) {}
  template <class Offsets, class Columns, class Values>
  static Arrays arrays(const Offsets& offsets, const Columns& columns, const Values& values) {
    return {{view(offsets).data, view(offsets).size},
            {view(columns).data, view(columns).size},
            detail::const_memory(values)};
  }

  const T* values_;
};
template <class Offsets, class Columns, class Values>
BsrMatrix(Context&, std::int64_t, std::int64_t, std::int64_t, std::int64_t, const Offsets&, const Columns&,
          const Values&) -> BsrMatrix<element_of<const Values>>;

/// Such a matrix with its arrays. Movable, not copyable; outlives its context safely.
template <class T>
class OwnedBsr {
 public:
  /// Copies to the memory of the context what by_blocks() made, and looks at it as BsrMatrix does. Values are rounded to T.
  OwnedBsr(Context& ctx, const SparseBlocks& a)
      : offsets_(ctx, a.offsets),
        columns_(ctx, a.columns),
        values_(ctx, std::vector<T>(a.values.begin(), a.values.end())),
        view_(ctx, a.rows, a.cols, a.block_rows, a.block_cols, offsets_, columns_, values_) {}

  /// What calls take, as long as this lives.
  const BsrMatrix<T>& view() const { return view_; }
  const Array<std::int64_t>& offsets() const { return offsets_; }
  const Array<std::int32_t>& columns() const { return columns_; }
  /// May change between calls.
  Array<T>& values() { return values_; }
  const Array<T>& values() const { return values_; }

 private:
  Array<std::int64_t> offsets_;
  Array<std::int32_t> columns_;
  Array<T> values_;
  BsrMatrix<T> view_;
};

namespace detail {
/// A copy in host memory; waits for it.
TANDEM_API SparseBlocks in_host_memory(Context& ctx, const BsrPattern& a, ConstMemory values, Type type);

/// alpha, beta: one number of the elements' type each, in host memory.
TANDEM_API void spmv_bsr(Context& ctx, Type type, const BsrPattern& a, const void* values, const void* alpha,
                         ConstMemory x, const void* beta, Memory y, const Options& options);
}  // namespace detail

/// by_blocks() of a matrix in the memory of a context, by way of host memory. Waits for its result; errors as by_blocks().
template <class T>
OwnedBsr<T> to_bsr(Context& ctx, const CsrMatrix<T>& a, std::int64_t block_rows, std::int64_t block_cols) {
  const detail::ConstMemory values{a.values(), a.elements()};
  return {ctx,
          by_blocks(detail::in_host_memory(ctx, "to_bsr", a, values, type_of<T>), block_rows, block_cols)};
}
/// by_rows() of it, likewise: without the zeros of its blocks.
template <class T>
OwnedCsr<T> to_csr(Context& ctx, const BsrMatrix<T>& a) {
  return to_csr<T>(ctx, by_rows(detail::in_host_memory(ctx, a, {a.values(), a.stored()}, type_of<T>)));
}

/// y = α·A·x + β·y in the memory of the context, without waiting for it, as spmv() of the same matrix by rows, with its arguments,
/// bound of the error, where k counts all elements of the blocks of a row, and exceptions. O(rows + stored) work; allocates nothing
/// after the first call of a size.
/// Source:  Eberhardt, Hoemmen 2016, "Optimization of block sparse matrix-vector multiplication on shared-memory parallel
///          architectures".
template <class T, Viewable X, Viewable Y>
void spmv(Context& ctx, const BsrMatrix<T>& a, const X& x, Y&& y,
          const std::type_identity_t<SpmvFactors<T>>& factors = {}, const Options& options = {}) {
  static_assert(std::is_same_v<element_of<const X>, T> && std::is_same_v<element_of<Y>, T>,
                "spmv: A, x and y must hold one type");
  detail::spmv_bsr(ctx, type_of<T>, a, a.values(), &factors.alpha, detail::const_memory(x), &factors.beta,
                   detail::memory(y), options);
}

}  // namespace tandem
