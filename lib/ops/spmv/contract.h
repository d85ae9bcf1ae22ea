#pragma once
// spmv: y = α·A·x + β·y. β = 0 never reads y and α = 0 never reads A and x, so that a NaN there does not matter.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "lib/core/registry.h"
#include "lib/ops/segmented_reduce/contract.h"
#include "lib/ops/spmv/columns.h"
#include "tandem/merge_path.h"

namespace tandem {

struct Spmv {
  static constexpr const char* name = "spmv";
  static constexpr const char* meaning = "y = alpha A x + beta y for a sparse matrix A";
  static constexpr std::array<std::string_view, 2> variants = {"even", "skewed"};
  static constexpr std::array<std::string_view, 2> features = {"length", "rows"};

  /// Elements and ends of rows that a tile of a kept analysis has, but for the last. A block takes several.
  static constexpr std::int64_t kTile = 256;

  struct Shape {
    std::int64_t rows, cols;
    std::int64_t elements;  // of all rows together
    std::int64_t longest;   // of a row; all elements where nobody knows

    std::int64_t scale() const { return elements; }
    std::int64_t average() const { return (elements + rows - 1) / std::max<std::int64_t>(1, rows); }
    std::array<std::int64_t, 3> features() const { return {std::max<std::int64_t>(1, average()), rows}; }
    std::size_t variant() const {
      constexpr int kOfWarp = 400;  // elements in a microsecond
      return SegmentedReduce::is_skewed(longest, rows, elements, kOfWarp);
    }
  };

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
      const T* x;
      T* y;
      T alpha, beta;
      const PathPoint* tiles;  // of a kept analysis: where each begins, and the last one ends; else null

      TANDEM_HD T product(std::int64_t k) const { return values[k] * x[columns[k]]; }
      /// Row r, given its sum of products.
      TANDEM_HD void store(std::int64_t r, T sum) const {
        y[r] = beta == T(0) ? alpha * sum : alpha * sum + beta * y[r];
      }
    };
    /// Where A and x must not be read, all rows are empty.
    static Args args(const Shape& shape, const std::int64_t* offsets, IndexNumbers columns, const T* values,
                     const T* x, T* y, T alpha, T beta, const PathPoint* tiles) {
      const bool none = alpha == T(0);
      return {{none ? nullptr : offsets, shape.rows, 0, 0, 1},
              shape.cols,
              none ? 0 : shape.elements,
              columns,
              values,
              x,
              y,
              alpha,
              beta,
              none ? nullptr : tiles};
    }
    static Args args(const typename Case<T>::Args& a, const Column* columns) {
      return {a.rows, a.cols, a.elements, columns, a.values, a.x, a.y, a.alpha, a.beta, a.tiles};
    }
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.rows.count == 0;
  }
};

}  // namespace tandem
