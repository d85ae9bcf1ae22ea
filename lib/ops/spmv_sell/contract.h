#pragma once
// spmv_sell: y = α·A·x + β·y of a matrix in slices of padded rows. β = 0 never reads y and α = 0 never reads A and x, so that a NaN there
// does not matter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "lib/core/registry.h"
#include "lib/ops/spmv/quotient.h"

namespace tandem {

struct SpmvSell {
  static constexpr const char* name = "spmv_sell";
  static constexpr const char* meaning =
      "y = alpha A x + beta y for a sparse matrix A in slices of padded rows";
  /// Rows in their own order, by those of a slice, whether they fill a warp; and sorted rows, which nobody needs where lengths are alike.
  static constexpr std::array<std::string_view, 3> variants = {"wide slices", "thin slices", "sorted rows"};
  static constexpr std::array<std::string_view, 2> features = {"length", "rows"};

  struct Shape {
    std::int64_t rows, cols, slice_rows;
    std::int64_t stored;     // elements, padding among them
    bool reordered = false;  // whether positions have row numbers

    std::int64_t scale() const { return stored; }
    std::int64_t average() const { return (stored + rows - 1) / std::max<std::int64_t>(1, rows); }
    std::array<std::int64_t, 3> features() const { return {std::max<std::int64_t>(1, average()), rows}; }
    std::size_t variant() const { return reordered ? 2 : slice_rows % 32 != 0; }
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      std::int64_t rows, cols, slice_rows, stored;
      const std::int64_t* offsets;      // of slices; null: all of them empty
      const std::int32_t* columns;      // -1: padding
      const std::int32_t* row_numbers;  // of positions; null: their own
      const T* values;
      const T* x;
      T* y;
      T alpha, beta;

      TANDEM_HD std::int64_t slices() const { return (rows + slice_rows - 1) / slice_rows; }
      /// Element j of the row at a position is at first(p) + j · slice_rows, j < length(p).
      TANDEM_HD std::int64_t first(std::int64_t p) const {
        const std::int64_t s = quotient(p, slice_rows);
        return offsets ? offsets[s] + (p - s * slice_rows) : 0;
      }
      TANDEM_HD std::int64_t length(std::int64_t p) const {
        const std::int64_t s = quotient(p, slice_rows);
        return offsets ? quotient(offsets[s + 1] - offsets[s], slice_rows) : 0;
      }
      TANDEM_HD T product(std::int64_t k) const { return columns[k] < 0 ? T(0) : values[k] * x[columns[k]]; }
      /// The row at a position, given its sum of products.
      TANDEM_HD void store(std::int64_t p, T sum) const {
        T& to = y[row_numbers ? row_numbers[p] : p];
        to = beta == T(0) ? alpha * sum : alpha * sum + beta * to;
      }
    };
    /// Where A and x must not be read, all rows are empty.
    static Args args(const Shape& shape, const std::int64_t* offsets, const std::int32_t* columns,
                     const std::int32_t* row_numbers, const T* values, const T* x, T* y, T alpha, T beta) {
      const bool none = alpha == T(0);
      return {shape.rows,
              shape.cols,
              shape.slice_rows,
              none ? 0 : shape.stored,
              none ? nullptr : offsets,
              columns,
              none ? nullptr : row_numbers,
              values,
              x,
              y,
              alpha,
              beta};
    }
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.rows == 0;
  }
};

}  // namespace tandem
