#pragma once
// spmv_bsr: y = α·A·x + β·y of a matrix of dense blocks. β = 0 never reads y and α = 0 never reads A and x, so that a NaN there does not
// matter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "lib/core/registry.h"

namespace tandem {

struct SpmvBsr {
  static constexpr const char* name = "spmv_bsr";
  static constexpr const char* meaning = "y = alpha A x + beta y for a sparse matrix A of dense blocks";
  /// By the elements of a block: whether a warp has as many lanes.
  static constexpr std::array<std::string_view, 2> variants = {"small blocks", "large blocks"};
  static constexpr std::array<std::string_view, 2> features = {"length", "rows"};
  static constexpr std::int64_t kSmall = 32;

  struct Shape {
    std::int64_t rows, cols, block_rows, block_cols;
    std::int64_t blocks;  // that are stored

    std::int64_t rows_of_blocks() const { return (rows + block_rows - 1) / block_rows; }
    std::int64_t scale() const { return blocks * block_rows * block_cols; }
    std::int64_t average() const { return (scale() + rows - 1) / std::max<std::int64_t>(1, rows); }
    std::array<std::int64_t, 3> features() const { return {std::max<std::int64_t>(1, average()), rows}; }
    std::size_t variant() const { return block_rows * block_cols > kSmall; }
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      std::int64_t rows, cols, block_rows, block_cols, blocks;
      const std::int64_t* offsets;  // of rows of blocks; null: all of them empty
      const std::int32_t* columns;  // of blocks
      const T* values;
      const T* x;
      T* y;
      T alpha, beta;

      TANDEM_HD std::int64_t rows_of_blocks() const { return (rows + block_rows - 1) / block_rows; }
      TANDEM_HD std::int64_t begin(std::int64_t i) const { return offsets ? offsets[i] : 0; }
      TANDEM_HD std::int64_t end(std::int64_t i) const { return offsets ? offsets[i + 1] : 0; }
      /// Of element (r, c) of block k; beyond the right edge there is none.
      TANDEM_HD T product(std::int64_t k, std::int64_t r, std::int64_t c) const {
        const std::int64_t column = columns[k] * block_cols + c;
        return column < cols ? values[(k * block_rows + r) * block_cols + c] * x[column] : T(0);
      }
      /// A row, given its sum of products.
      TANDEM_HD void store(std::int64_t row, T sum) const {
        y[row] = beta == T(0) ? alpha * sum : alpha * sum + beta * y[row];
      }
    };
    /// Where A and x must not be read, all rows are empty.
    static Args args(const Shape& shape, const std::int64_t* offsets, const std::int32_t* columns,
                     const T* values, const T* x, T* y, T alpha, T beta) {
      const bool none = alpha == T(0);
      return {shape.rows,
              shape.cols,
              shape.block_rows,
              shape.block_cols,
              none ? 0 : shape.blocks,
              none ? nullptr : offsets,
              columns,
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
