#pragma once
// gemm: C = α·A·B + β·C for matrices of any shape and layout.
//
// The order of the k additions of one element is an implementation's own, so results differ by rounding
// (docs/promises.md). β = 0 never reads C and α = 0 never reads A and B, so that a NaN there does not matter.

#include <cmath>

#include "lib/core/call.h"
#include "tandem/matrix.h"
#include "lib/harness/operation.h"

namespace tandem {

struct Gemm {
  static constexpr const char* name = "gemm";
  static constexpr const char* meaning = "C = alpha A B + beta C";
  static constexpr Bound bound = Bound::flops;
  static constexpr const char* extents = "m x n x k";
  static constexpr int kExtents = 3;
  static constexpr std::int64_t executor_size = 65;
  static std::vector<std::int64_t> bench_sizes() { return {256, 1024}; }

  struct Shape {
    std::int64_t m, n, k;
    Layout a = Layout::row_major, b = Layout::row_major;
    bool reads_c = false;                          // β is not 0
    std::int64_t a_gap = 0, b_gap = 0, c_gap = 0;  // elements between a line's end and the next line
    double alpha = 1, beta = 0;
    std::int64_t scale() const {
      return std::llround(
          std::cbrt(static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k)));
    }
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    /// C is row-major; a column-major call is that of the transposed matrices with A and B exchanged.
    struct Args {
      std::int64_t m, n, k;
      T alpha;
      Strided<const T> a;  // m × k
      Strided<const T> b;  // k × n
      T beta;
      T* c;  // m × n
      std::int64_t ldc;
    };
    /// The call in that form. Where A and B must not be read, k is 0: the sum of no products.
    static Args args(T alpha, MatrixView<const T> a, MatrixView<const T> b, T beta, MatrixView<T> c) {
      if (c.layout == Layout::column_major) {
        std::swap(a, b);
        a = transposed(a), b = transposed(b), c = transposed(c);
      }
      const bool none = alpha == T(0) || a.cols == 0;
      return {c.rows, c.cols, none ? 0 : a.cols, none ? T(0) : alpha, strided(a), strided(b), beta,
              c.data, c.ld};
    }
    /// What becomes of element c, given its sum of products.
    TANDEM_HD static void update(T& c, T sum, T alpha, T beta) {
      c = beta == T(0) ? alpha * sum : alpha * sum + beta * c;
    }
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  static std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> extents, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
    return benchmarks(id, std::vector{n, n, n}, seed);
  }
  static Work work(CaseId id, const Shape& shape);

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

namespace detail {
/// A is m × k and B is k × n where C is m × n.
TANDEM_API void require_product(const MatrixView<const std::byte>& a, const MatrixView<const std::byte>& b,
                                const MatrixView<const std::byte>& c);
}  // namespace detail

/// C = α·A·B + β·C in the memory of the context, without waiting for it.
///
/// A: m × k, B: k × n, C: m × n, each row- or column-major with its own leading dimension; transposed(A) is
/// the transposed operand. Elements: float or double, computed in their own precision. C may overlap neither
/// A nor B; elements in the gaps between lines stay as they are. β = 0 writes C without reading it, α = 0 or
/// k = 0 scales C without reading A and B. Each result is within γ_k·|α|·(|A|·|B|)_ij + 2ε·|β·C|_ij of the
/// exact one. 2mnk floating-point operations; allocates nothing after the first call of a shape. Throws
/// InvalidArgument (shapes do not conform, unknown layout, a leading dimension below the length of a line,
/// null pointers, host memory in a device context, overlap, unknown options.use), Unavailable (options.use
/// cannot run here), OutOfMemory, DeviceError.
/// Source:  Goto, van de Geijn 2008, "Anatomy of high-performance matrix multiplication"; Higham 2002,
///          section 3.5.
template <class A, class B, class T>
void gemm(Context& ctx, std::type_identity_t<T> alpha, const MatrixView<A>& a, const MatrixView<B>& b,
          std::type_identity_t<T> beta, const MatrixView<T>& c, const Options& options = {}) {
  static_assert(std::is_same_v<std::remove_const_t<A>, T> && std::is_same_v<std::remove_const_t<B>, T>,
                "gemm: A, B and C must hold one type");
  using C = Gemm::Case<T>;
  static_assert(case_index<Gemm, C>() >= 0, "gemm does not take this element type");
  constexpr const char* op = Gemm::name;
  require::matrix(ctx, op, "a", untyped(a), sizeof(T));
  require::matrix(ctx, op, "b", untyped(b), sizeof(T));
  require::matrix(ctx, op, "c", untyped(c), sizeof(T));
  detail::require_product(untyped(a), untyped(b), untyped(c));
  require::apart(op, "a", untyped(a), "c", untyped(c), sizeof(T));
  require::apart(op, "b", untyped(b), "c", untyped(c), sizeof(T));
  const typename C::Args args = C::args(alpha, a, b, beta, c);
  Gemm::Shape shape{args.m, args.n, args.k, a.layout, b.layout, beta != 0};
  shape.c_gap = args.ldc - args.n;
  detail::call<Gemm, C>(ctx, args, shape, options);
}

}  // namespace tandem
