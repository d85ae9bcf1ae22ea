#pragma once
// gemm: C = α·A·B + β·C. β = 0 never reads C and α = 0 never reads A and B, so that a NaN there does not
// matter.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "lib/core/registry.h"
#include "tandem/matrix.h"

namespace tandem {

/// How kernels see a matrix: element (i, j) is data[i · row + j · col], and one of both strides is 1.
template <class T>
struct Strided {
  T* data;
  std::int64_t row, col;
  TANDEM_HD T& operator()(std::int64_t i, std::int64_t j) const { return data[i * row + j * col]; }
};
template <class T>
Strided<T> strided(const MatrixView<T>& a) {
  return a.layout == Layout::row_major ? Strided<T>{a.data, a.ld, 1} : Strided<T>{a.data, 1, a.ld};
}

struct Gemm {
  static constexpr const char* name = "gemm";
  static constexpr const char* meaning = "C = alpha A B + beta C";

  /// Whether A and B are transposed (column-major), and whether their lines or those of C begin between multiples of
  /// kAlignment bytes: what kernels then copy first, or move one by one.
  static constexpr std::array<std::string_view, 8> variants = {
      "NN", "NT", "TN", "TT", "NN, unaligned", "NT, unaligned", "TN, unaligned", "TT, unaligned"};
  static constexpr std::int64_t kAlignment = 16;
  static constexpr std::array<std::string_view, 3> features = {"n", "shorter side", "k"};

  struct Shape {
    std::int64_t m, n, k;
    Layout a = Layout::row_major, b = Layout::row_major;
    std::int64_t a_gap = 0, b_gap = 0, c_gap = 0;  // elements between a line's end and the next line
    bool aligned = true;                           // every line
    std::int64_t scale() const {
      return std::llround(
          std::cbrt(static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k)));
    }
    std::array<std::int64_t, 3> features() const { return {scale(), std::min(m, n), k}; }
    std::size_t variant() const {
      return 4 * !aligned + 2 * (a == Layout::column_major) + (b == Layout::column_major);
    }
  };

  template <class Element>
  struct Case {
    using T = Element;
    using Sum = accumulator_t<T>;  // products are added up in it; α and β are, too
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    /// C is row-major; a column-major call is that of the transposed matrices with A and B exchanged.
    struct Args {
      std::int64_t m, n, k;
      Sum alpha;
      Strided<const T> a;  // m × k
      Strided<const T> b;  // k × n
      Sum beta;
      T* c;  // m × n
      std::int64_t ldc;
    };
    /// The call in that form. Where A and B must not be read, k is 0: the sum of no products.
    static Args args(Sum alpha, MatrixView<const T> a, MatrixView<const T> b, Sum beta, MatrixView<T> c) {
      if (c.layout == Layout::column_major) {
        std::swap(a, b);
        a = transposed(a), b = transposed(b), c = transposed(c);
      }
      const bool none = alpha == Sum(0) || a.cols == 0;
      return {c.rows, c.cols, none ? 0 : a.cols, none ? Sum(0) : alpha, strided(a), strided(b), beta,
              c.data, c.ld};
    }
    /// What `refuses` and `suits` see of a call: the matrices as an implementation gets them.
    static Shape shape(const Args& g) {
      const auto layout = [](const Strided<const T>& x) {
        return x.col == 1 ? Layout::row_major : Layout::column_major;
      };
      const auto gap = [](const Strided<const T>& x, std::int64_t rows, std::int64_t cols) {
        return x.col == 1 ? x.row - cols : x.col - rows;
      };
      // (Of a matrix's two strides one is 1.)
      const auto is_aligned = [](const T* data, std::int64_t ld) {
        return reinterpret_cast<std::uintptr_t>(data) % kAlignment == 0 &&
               ld % (kAlignment / std::int64_t{sizeof(T)}) == 0;
      };
      return {g.m,
              g.n,
              g.k,
              layout(g.a),
              layout(g.b),
              gap(g.a, g.m, g.k),
              gap(g.b, g.k, g.n),
              g.ldc - g.n,
              is_aligned(g.a.data, g.a.row * g.a.col) && is_aligned(g.b.data, g.b.row * g.b.col) &&
                  is_aligned(g.c, g.ldc)};
    }
    /// What becomes of element c, given its sum of products.
    TANDEM_HD static void update(T& c, Sum sum, Sum alpha, Sum beta) {
      c = T(beta == Sum(0) ? alpha * sum : alpha * sum + beta * Sum(c));
    }
  };
  using Cases = CaseList<Case<float>, Case<double>, Case<half>, Case<bfloat16>>;

  /// Elements that are added up as they are: for steps that leave those of 16 bits to the tensor cores.
  template <class C>
  static constexpr bool wide = sizeof(typename C::T) >= 4;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.m == 0 || args.n == 0;
  }

  /// For steps that would take minutes.
  template <int kLargest>
  static std::string refuse_beyond(const Shape& shape, CaseId) {
    return shape.scale() > kLargest ? "is too slow beyond " + std::to_string(kLargest) + "^3 multiplications"
                                    : "";
  }
};

}  // namespace tandem
