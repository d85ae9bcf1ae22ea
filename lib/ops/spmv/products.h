#pragma once
// What products of sparse matrices and vectors ask of their arguments.

#include <fmt/format.h>

#include <initializer_list>
#include <tuple>

#include "lib/core/require.h"
#include "tandem/array.h"

namespace tandem::require {

/// An array of the matrix.
struct MatrixArray {
  const char* name;
  const void* data;
  std::int64_t size;
  std::size_t element_bytes;
};

/// Arrays that calls can read, x and y of the matrix's sides, and y apart from all of them.
inline void product(Context& ctx, const char* operation, std::int64_t rows, std::int64_t cols,
                    detail::ConstMemory x, detail::Memory y, std::size_t bytes,
                    std::initializer_list<MatrixArray> matrix) {
  for (const MatrixArray& a : matrix) array(ctx, operation, a.name, a.data, a.size, a.element_bytes);
  array(ctx, operation, "x", x.data, x.size, bytes);
  array(ctx, operation, "y", y.data, y.size, bytes);
  for (const auto& [name, got, wanted, of] :
       {std::tuple{"x", x.size, cols, "cols"}, {"y", y.size, rows, "rows"}}) {
    if (got != wanted) {
      throw InvalidArgument(fmt::format("{}: size of '{}' is {}; it must be {}, the {} of the matrix",
                                        operation, name, got, wanted, of));
    }
  }
  const auto apart = [&](const MatrixArray& in) {
    overlap(operation, in.data, static_cast<std::size_t>(in.size) * in.element_bytes, y.data,
            static_cast<std::size_t>(y.size) * bytes, false, in.name, "y");
  };
  for (const MatrixArray& a : matrix) apart(a);
  apart({"x", x.data, x.size, bytes});
}

}  // namespace tandem::require
