#pragma once
// spmm: C = α·A·B + β·C for a sparse A. β = 0 never reads C and α = 0 never reads A and B, so that a NaN there does not
// matter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/core/registry.h"
#include "lib/ops/gemm/contract.h"
#include "lib/ops/segmented_reduce/contract.h"
#include "lib/ops/spmv/columns.h"

namespace tandem {

struct Spmm {
  static constexpr const char* name = "spmm";
  static constexpr const char* meaning = "C = alpha A B + beta C for a sparse matrix A";
  static constexpr std::array<std::string_view, 3> variants = {"even", "skewed", "columns"};
  static constexpr std::array<std::string_view, 3> features = {"width", "length", "rows"};

  struct Shape {
    std::int64_t rows, cols;  // of A
    std::int64_t elements;    // of all its rows together
    std::int64_t longest;     // of a row; all elements where nobody knows
    std::int64_t width;       // columns of B and C
    Layout b = Layout::row_major, c = Layout::row_major;
    std::int64_t b_gap = 0, c_gap = 0;  // elements between a line's end and the next line

    std::int64_t scale() const { return elements; }
    std::int64_t average() const { return (elements + rows - 1) / std::max<std::int64_t>(1, rows); }
    std::array<std::int64_t, 3> features() const {
      return {std::max<std::int64_t>(1, width), std::max<std::int64_t>(1, average()), rows};
    }
    std::size_t variant() const {
      constexpr int kOfWarp = 60;            // elements in a microsecond, one behind the other, at best
      if (b != Layout::row_major) return 2;  // of paths that want rows of C, too, the next one is taken
      return SegmentedReduce::is_skewed(longest, rows, elements, kOfWarp, width);
    }
  };
  /// For implementations whose neighbouring lanes have neighbouring columns of B and C.
  static std::string refuse_columns(const Shape& s, CaseId) {
    return s.b == Layout::row_major && s.c == Layout::row_major ? "" : "B and C must be row-major";
  }
  /// For those of them that do not mind how C lies.
  static std::string refuse_columns_of_b(const Shape& s, CaseId) {
    return s.b == Layout::row_major ? "" : "B must be row-major";
  }

  /// For implementations that read a row from end to end by one thread or warp: whether the longest row takes no more than the least
  /// that shared rows cost and twice what a GPU needs for all products. On an H200 it reads 10 to 20 elements in a microsecond.
  static bool suits_walks(const Shape& s) {
    constexpr double kOfWalk = 15, kShared = 20;
    return static_cast<double>(s.longest) / kOfWalk <=
           kShared + 2 * SegmentedReduce::us_of_gpu(s.elements, s.width);
  }

  /// Column: the type of column numbers; void: of either.
  template <class Element, class Column = void>
  struct Case {
    using T = Element;
    using ColumnNumber = Column;
    template <class Other>
    using Of = Case<Element, Other>;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      SegmentedReduce::Layout rows;  // each a segment of the elements, one behind the other
      std::int64_t cols;
      std::int64_t elements;  // of all rows together
      ColumnsOf<Column> columns;
      const T* values;
      std::int64_t width;
      Strided<const T> b;  // cols × width
      Strided<T> c;        // rows × width
      T alpha, beta;

      TANDEM_HD T product(std::int64_t k, std::int64_t j) const { return values[k] * b(columns[k], j); }
      /// Element (r, j) of C, given its sum of products.
      TANDEM_HD void store(std::int64_t r, std::int64_t j, T sum) const {
        c(r, j) = beta == T(0) ? alpha * sum : alpha * sum + beta * c(r, j);
      }
    };
    /// Where A and B must not be read, all rows are empty.
    static Args args(const Shape& shape, const std::int64_t* offsets, IndexNumbers columns, const T* values,
                     MatrixView<const T> b, MatrixView<T> c, T alpha, T beta) {
      const bool none = alpha == T(0);
      return {{none ? nullptr : offsets, shape.rows, 0, 0, 1},
              shape.cols,
              none ? 0 : shape.elements,
              columns,
              values,
              shape.width,
              strided(b),
              strided(c),
              alpha,
              beta};
    }
    static Args args(const typename Case<T>::Args& a, const Column* columns) {
      return {a.rows, a.cols, a.elements, columns, a.values, a.width, a.b, a.c, a.alpha, a.beta};
    }
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.rows.count == 0 || args.width == 0;
  }
};

}  // namespace tandem
