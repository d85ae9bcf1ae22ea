#pragma once
// transpose: out(j, i) = in(i, j), out of place for any matrix, in place for square ones.

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "lib/core/registry.h"

namespace tandem {

struct Transpose {
  static constexpr const char* name = "transpose";
  static constexpr const char* meaning = "out(j, i) = in(i, j)";

  static constexpr std::array<std::string_view, 2> features = {"n", "shorter side"};

  struct Shape {
    std::int64_t rows, cols;
    bool in_place = false;
    std::int64_t in_gap = 0, out_gap = 0;  // elements between a line's end and the next line
    std::int64_t scale() const {
      return std::llround(std::sqrt(static_cast<double>(rows) * static_cast<double>(cols)));
    }
    std::array<std::int64_t, 3> features() const { return {scale(), std::min(rows, cols)}; }
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    /// Row-major; a column-major call is the row-major one with rows and cols exchanged.
    struct Args {
      const T* in;  // rows × cols
      std::int64_t rows, cols;
      std::int64_t ld_in;
      T* out;  // cols × rows; may be `in` where rows = cols and ld_in = ld_out
      std::int64_t ld_out;
    };
  };
  /// One of each size, and floating-point numbers, which libraries move (detail::moved_as).
  using Cases = CaseList<Case<float>, Case<double>, Case<std::int32_t>, Case<std::int64_t>, Case<half>,
                         Case<std::uint8_t>>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.rows == 0 || args.cols == 0;
  }

  /// For steps that write while others still read.
  static std::string refuse_in_place(const Shape& shape, CaseId) {
    return shape.in_place ? "works out of place only" : "";
  }
};

}  // namespace tandem
