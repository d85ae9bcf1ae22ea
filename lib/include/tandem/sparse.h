#pragma once
// Views of sparse matrices in anybody's memory.

#include <cstdint>
#include <type_traits>

#include "tandem/array.h"
#include "tandem/types.h"

namespace tandem {

/// Numbers of columns or rows: where they lie, and whether they are std::int32_t or std::int64_t.
class IndexNumbers {
 public:
  IndexNumbers() = default;
  IndexNumbers(const std::int32_t* data) : data_(data), type_(Type::i32) {}
  IndexNumbers(const std::int64_t* data) : data_(data), type_(Type::i64) {}

  const void* data() const { return data_; }
  Type type() const { return type_; }
  /// data() where they are of this type, else null.
  template <class Index>
  const Index* as() const {
    static_assert(std::is_same_v<Index, std::int32_t> || std::is_same_v<Index, std::int64_t>,
                  "numbers of columns and rows are std::int32_t or std::int64_t");
    return type_ == type_of<Index> ? static_cast<const Index*>(data_) : nullptr;
  }
  /// Number k, read where they lie.
  TANDEM_HD std::int64_t operator[](std::int64_t k) const {
    return type_ == Type::i64 ? static_cast<const std::int64_t*>(data_)[k]
                              : static_cast<const std::int32_t*>(data_)[k];
  }

 private:
  const void* data_ = nullptr;
  Type type_ = Type::i32;
};

namespace detail {
struct IndexList {
  IndexNumbers numbers;
  std::int64_t size;
};
template <class Container>
IndexList index_list(const Container& container) {
  using I = element_of<const Container>;
  static_assert(std::is_same_v<I, std::int32_t> || std::is_same_v<I, std::int64_t>,
                "numbers of columns and rows must be std::int32_t or std::int64_t");
  return {view(container).data, view(container).size};
}

/// All of a CsrMatrix but its values.
class TANDEM_API CsrPattern {
 public:
  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  /// Elements that are stored.
  std::int64_t elements() const { return elements_; }
  const std::int64_t* offsets() const { return offsets_; }
  IndexNumbers columns() const { return columns_; }
  /// Of the longest row; -1 where nobody looked.
  std::int64_t longest() const { return longest_; }

 protected:
  /// Sizes alone.
  CsrPattern(std::int64_t rows, std::int64_t cols, View<const std::int64_t> offsets, const IndexList& columns,
             std::int64_t values);
  /// And every offset and column number, and where `values` lies.
  CsrPattern(Context& ctx, std::int64_t rows, std::int64_t cols, View<const std::int64_t> offsets,
             const IndexList& columns, ConstMemory values, std::size_t value_bytes);

 private:
  std::int64_t rows_, cols_, elements_;
  const std::int64_t* offsets_;
  IndexNumbers columns_;
  std::int64_t longest_ = -1;
};
}  // namespace detail

/// A rows × cols matrix of which few elements are stored, row by row (compressed sparse rows): those of row i are
/// values[k] in column columns[k], offsets[i] ≤ k < offsets[i+1]. A row may be empty, its elements may stand in any
/// order, and those of one column add up. A view: the three arrays stay the caller's, in the memory of the context that
/// calls are made in, and stay there as long as calls use them. Values may change between calls.
template <class T>
class CsrMatrix : public detail::CsrPattern {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "CsrMatrix holds elements of type float or double");

 public:
  /// offsets: std::int64_t, one more than there are rows, ascending from 0 to the size of columns; columns: std::int32_t or
  /// std::int64_t, from 0 to cols − 1; values: one for each of columns. Looks at all offsets and column numbers, and waits for that. Throws
  /// InvalidArgument (sizes that do not fit, an offset below the one before it, a first or a last one that is another, a
  /// column number out of range: its number and the values; null pointers, memory of another place), OutOfMemory.
  /// O(rows + elements).
  template <Viewable Offsets, Viewable Columns, Viewable Values>
  CsrMatrix(Context& ctx, std::int64_t rows, std::int64_t cols, const Offsets& offsets,
            const Columns& columns, const Values& values)
      : CsrPattern(ctx, rows, cols, {view(offsets).data, view(offsets).size}, detail::index_list(columns),
                   detail::const_memory(values), sizeof(T)),
        values_(view(values).data) {}

  /// Nothing is looked at but sizes: offsets that fall or end elsewhere, and columns that are not there, read anywhere.
  template <Viewable Offsets, Viewable Columns, Viewable Values>
  static CsrMatrix unchecked(std::int64_t rows, std::int64_t cols, const Offsets& offsets,
                             const Columns& columns, const Values& values) {
    return CsrMatrix(rows, cols, {view(offsets).data, view(offsets).size}, detail::index_list(columns),
                     {view(values).data, view(values).size});
  }

  const T* values() const { return values_; }

 private:
  CsrMatrix(std::int64_t rows, std::int64_t cols, View<const std::int64_t> offsets,
            const detail::IndexList& columns, View<const T> values)
      : CsrPattern(rows, cols, offsets, columns, values.size), values_(values.data) {}

  const T* values_;
};
template <class Offsets, class Columns, class Values>
CsrMatrix(Context&, std::int64_t, std::int64_t, const Offsets&, const Columns&, const Values&)
    -> CsrMatrix<element_of<const Values>>;

}  // namespace tandem
