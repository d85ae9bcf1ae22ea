#pragma once
// Checks of a product that calls of one rank and of many share.

#include "tandem/matrix.h"
#include "tandem/options.h"

namespace tandem::detail {

/// Everything but that B has as many rows as A has columns: of many ranks they have them together.
void check_gemm(Context& ctx, Type type, const MatrixView<const std::byte>& a,
                const MatrixView<const std::byte>& b, const MatrixView<const std::byte>& c,
                const Options& options);

/// A view of elements whose type is known again.
template <class T>
MatrixView<T> typed(const MatrixView<const std::byte>& a) {
  return {reinterpret_cast<T*>(const_cast<std::byte*>(a.data)), a.rows, a.cols, a.ld, a.layout};
}

}  // namespace tandem::detail
