#pragma once
// Views of matrices in anybody's memory: rows, columns, layout and leading dimension.

#include <cstdint>
#include <type_traits>

#include "tandem/array.h"

namespace tandem {

/// Which neighbours lie side by side in memory: those of a row, or those of a column.
enum class Layout : std::uint8_t { row_major, column_major };
TANDEM_API const char* name(Layout layout);

/// A rows × cols matrix. Element (i, j) is data[i · ld + j] in row-major layout and data[i + j · ld] in
/// column-major layout, so ld, the leading dimension, is at least the length of a row or a column.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t rows = 0, cols = 0;
  std::int64_t ld = 0;
  Layout layout = Layout::row_major;

  /// Length of the lines that are contiguous in memory, and how many of them there are.
  std::int64_t line() const { return layout == Layout::row_major ? cols : rows; }
  std::int64_t lines() const { return layout == Layout::row_major ? rows : cols; }
  /// A matrix whose elements may change is one whose elements may be read.
  template <class U>
  requires(!std::is_const_v<T> && std::is_same_v<U, const T>) operator MatrixView<U>() const {
    return {data, rows, cols, ld, layout};
  }
};

/// A container as a rows × cols matrix; without `ld` its lines follow each other without a gap.
/// InvalidArgument where it holds fewer elements than that takes.
template <Viewable Container>
auto matrix(Container&& container, std::int64_t rows, std::int64_t cols, Layout layout = Layout::row_major,
            std::int64_t ld = -1);

/// The same memory seen as the transposed matrix: no element moves.
template <class T>
MatrixView<T> transposed(MatrixView<T> a) {
  return {a.data, a.cols, a.rows, a.ld,
          a.layout == Layout::row_major ? Layout::column_major : Layout::row_major};
}

namespace detail {
/// Elements from the first to the last of a matrix, gaps between its lines included; −1 beyond 2^63 bytes.
TANDEM_API std::int64_t storage_size(std::int64_t lines, std::int64_t line, std::int64_t ld,
                                     std::size_t element_bytes);
[[noreturn]] TANDEM_API void too_small(std::int64_t size, std::int64_t rows, std::int64_t cols,
                                       std::int64_t ld);
}  // namespace detail

template <Viewable Container>
auto matrix(Container&& container, std::int64_t rows, std::int64_t cols, Layout layout, std::int64_t ld) {
  const auto all = view(container);
  using T = std::remove_pointer_t<decltype(all.data)>;
  MatrixView<T> result{all.data, rows, cols, ld, layout};
  if (ld < 0) result.ld = result.line();
  const std::int64_t needed = detail::storage_size(result.lines(), result.line(), result.ld, sizeof(T));
  if (rows >= 0 && cols >= 0 && (needed < 0 || needed > all.size))
    detail::too_small(all.size, rows, cols, result.ld);
  return result;
}

namespace detail {
/// A view whose element type is forgotten; rows, columns and ld still count elements.
template <class T>
MatrixView<const std::byte> untyped(const MatrixView<T>& a) {
  return {reinterpret_cast<const std::byte*>(a.data), a.rows, a.cols, a.ld, a.layout};
}
}  // namespace detail

}  // namespace tandem
