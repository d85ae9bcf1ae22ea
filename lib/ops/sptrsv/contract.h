#pragma once
// sptrsv: A·x = α·b for a triangle A of a sparse matrix. What is beyond the diagonal, and a diagonal of ones, is never read.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/core/registry.h"
#include "lib/ops/spmv/columns.h"
#include "tandem/device/pivot.h"
#include "tandem/sptrsv.h"

namespace tandem {

struct Sptrsv {
  static constexpr const char* name = "sptrsv";
  static constexpr const char* meaning = "A x = alpha b for a sparse triangular matrix A";
  static constexpr std::array<std::string_view, 4> variants = {"flat", "wide", "deep", "chain"};
  static constexpr std::array<std::string_view, 2> features = {"length", "rows"};

  struct Shape {
    std::int64_t rows;
    std::int64_t elements;  // that are stored, of both triangles
    std::int64_t levels;
    bool tidy = true;  // columns ascend within each row, and none is of the other triangle
    bool in_place = false;
    bool report = false;  // a diagonal that is not usable must be reported

    std::int64_t scale() const { return elements; }
    std::int64_t average() const { return (elements + rows - 1) / std::max<std::int64_t>(1, rows); }
    std::array<std::int64_t, 3> features() const { return {std::max<std::int64_t>(1, average()), rows}; }
    std::size_t variant() const {
      constexpr std::int64_t kWide = 256, kDeep = 4;  // rows of an average level
      return levels <= 1 ? 0 : rows >= kWide * levels ? 1 : rows >= kDeep * levels ? 2 : 3;
    }
  };

  static Shape automatic(Shape shape) {
    shape.report = true;
    return shape;
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
      std::int64_t rows, elements;
      const std::int64_t* offsets;
      ColumnsOf<Column> columns;
      const T* values;
      const T* b;
      T* x;  // may be b
      T alpha;
      bool upper, unit;
      std::uint64_t number;  // of the analysis
      std::int64_t levels;
      const std::int64_t* begins;  // of levels in `order`, and the end of the last one, in host memory
      const std::int64_t* kernels_begins;  // the same where kernels read it
      const std::int32_t* order;           // rows, level by level
      std::uint64_t* status;               // see PivotFailure (tandem/device/pivot.h)

      /// Whether row r waits for x of column j.
      TANDEM_HD bool needs(std::int64_t r, std::int64_t j) const { return upper ? j > r : j < r; }
      /// Whether what stands there is to divide by.
      TANDEM_HD bool divides(std::int64_t r, std::int64_t j) const { return j == r && !unit; }
      /// x of row r, given the sum of the products that it needs, its diagonal, and b there, where that was read before.
      TANDEM_HD T solved(std::int64_t r, T sum, T diagonal, T b_there) const {
        const T rest = alpha * b_there - sum;
        if (unit) return rest;
        if (!usable(diagonal)) report_pivot(status, rows, 0, r);
        return rest / diagonal;
      }
      TANDEM_HD T solved(std::int64_t r, T sum, T diagonal) const { return solved(r, sum, diagonal, b[r]); }
    };
    static Args args(const detail::CsrPattern& a, const T* values, const detail::SptrsvAnalysis& kept,
                     T alpha, const T* b, T* x, std::uint64_t* status) {
      return {a.rows(),
              a.elements(),
              a.offsets(),
              a.columns(),
              values,
              b,
              x,
              alpha,
              kept.form.triangle == Triangle::upper,
              kept.form.diagonal == Diagonal::unit,
              kept.number,
              static_cast<std::int64_t>(kept.begins.size()) - 1,
              kept.begins.data(),
              kept.kernels_begins.data(),
              kept.order.data(),
              status};
    }
    static Args args(const typename Case<T>::Args& a, const Column* columns) {
      return {a.rows, a.elements, a.offsets, columns,  a.values,         a.b,     a.x,     a.alpha, a.upper,
              a.unit, a.number,   a.levels,  a.begins, a.kernels_begins, a.order, a.status};
    }
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context& ctx) {
    if (args.alpha == 0) ctx.fill(args.x, 0, static_cast<std::size_t>(args.rows) * sizeof(typename C::T));
    return args.rows == 0 || args.alpha == 0;
  }

  /// For libraries.
  static std::string refuse_reports_and_disorder(const Shape& s, CaseId) {
    if (s.report) return "does not report a diagonal of zero";
    return s.tidy ? "" : "columns must ascend within a row, and stay in the triangle";
  }
};

}  // namespace tandem
