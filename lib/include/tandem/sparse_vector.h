#pragma once
// Sparse vectors in anybody's memory, their products with dense ones, and their sums with them.

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/array.h"
#include "tandem/spmv.h"

namespace tandem {

namespace detail {
/// Of SparseVectorView: InvalidArgument where these are no vector.
TANDEM_API void check_vector(Context& ctx, std::int64_t size, const IndexList& numbers, ConstMemory values,
                             std::size_t value_bytes);
/// Of dot: InvalidArgument where y or the result has another size.
TANDEM_API void check_dot(std::int64_t x_size, std::int64_t y_size, std::int64_t result_size);
/// alpha: one number of the elements' type, in host memory; x: a matrix of one row.
TANDEM_API void sparse_axpy(Context& ctx, Type type, const void* alpha, const CsrPattern& x,
                            const void* values, Memory y);
}  // namespace detail

/// A vector of `size` elements of which few are stored: values[k] is element numbers[k], the others are 0. A view, as CsrMatrix is;
/// its own are only the two offsets that make it a matrix of one row. Movable, not copyable.
template <class T>
class SparseVectorView {
 public:
  /// numbers: std::int32_t or std::int64_t, from 0 to size − 1, in any order, distinct; values: as many. Looks at all numbers, and waits for that.
  /// Throws InvalidArgument (a size below 0, sizes that differ, a number out of range or one that stands twice: which one and
  /// its value; null pointers, memory of another place), OutOfMemory. O(elements · log(elements)).
  template <Viewable Numbers, Viewable Values>
  SparseVectorView(Context& ctx, std::int64_t size, const Numbers& numbers, const Values& values)
      : SparseVectorView(checked(ctx, size, numbers, values)) {}

  /// Nothing is looked at but sizes: numbers that are not there read and write anywhere, and to one that stands twice axpy adds
  /// any of its values.
  template <Viewable Numbers, Viewable Values>
  static SparseVectorView unchecked(Context& ctx, std::int64_t size, const Numbers& numbers,
                                    const Values& values) {
    Array<std::int64_t> offsets = row_offsets(ctx, view(numbers).size);
    const CsrMatrix<T> row = CsrMatrix<T>::unchecked(1, size, offsets, numbers, values);
    return SparseVectorView(std::move(offsets), row);
  }

  std::int64_t size() const { return row_.cols(); }
  /// That are stored.
  std::int64_t elements() const { return row_.elements(); }
  IndexNumbers numbers() const { return row_.columns(); }
  const T* values() const { return row_.values(); }
  /// The same as a matrix of one row.
  const CsrMatrix<T>& row() const { return row_; }

 private:
  SparseVectorView(Array<std::int64_t> offsets, const CsrMatrix<T>& row)
      : offsets_(std::move(offsets)), row_(row) {}
  template <class Numbers, class Values>
  static SparseVectorView checked(Context& ctx, std::int64_t size, const Numbers& numbers,
                                  const Values& values) {
    detail::check_vector(ctx, size, detail::index_list(numbers), detail::const_memory(values), sizeof(T));
    return unchecked(ctx, size, numbers, values);
  }
  static Array<std::int64_t> row_offsets(Context& ctx, std::int64_t elements) {
    return Array<std::int64_t>(ctx, std::vector<std::int64_t>{0, elements});
  }

  Array<std::int64_t> offsets_;
  CsrMatrix<T> row_;
};
template <class Numbers, class Values>
SparseVectorView(Context&, std::int64_t, const Numbers&, const Values&)
    -> SparseVectorView<element_of<const Values>>;

/// result[0] = the sum of x[i]·y[i], in the memory of the context, not waited for: spmv of a matrix of one row, with its bounds, paths and
/// other errors. y: size elements; result: one. Throws InvalidArgument (another size of y or of the result).
template <class T, Viewable Y, Viewable Result>
void dot(Context& ctx, const SparseVectorView<T>& x, const Y& y, Result&& result,
         const Options& options = {}) {
  detail::check_dot(x.size(), view(y).size, view(result).size);
  spmv(ctx, x.row(), y, result, {}, options);
}

/// y[numbers[k]] += alpha·values[k] in the memory of the context, without waiting for it; a product may be fused with the addition.
/// Elements that are not stored stay as they are; alpha = 0 changes nothing and reads nothing. y: size elements, apart from x.
/// O(elements) work; allocates nothing. Throws InvalidArgument (another size of y, null pointers, memory of another place, overlap),
/// Unavailable (a build without device code), DeviceError.
/// Source:  Dodson, Grimes, Lewis 1991, "Sparse extensions to the FORTRAN basic linear algebra subprograms" (axpyi).
template <class T, Viewable Y>
void axpy(Context& ctx, std::type_identity_t<T> alpha, const SparseVectorView<T>& x, Y&& y) {
  static_assert(std::is_same_v<element_of<Y>, T>, "axpy: x and y must hold one type");
  detail::sparse_axpy(ctx, type_of<T>, &alpha, x.row(), x.values(), detail::memory(y));
}

}  // namespace tandem
