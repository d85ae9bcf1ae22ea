#pragma once
// transpose: out(j, i) = in(i, j), out of place for any matrix, in place for square ones.

#include <cmath>

#include "lib/core/call.h"
#include "tandem/matrix.h"
#include "lib/harness/operation.h"

namespace tandem {

struct Transpose {
  static constexpr const char* name = "transpose";
  static constexpr const char* meaning = "out(j, i) = in(i, j)";
  static constexpr Bound bound = Bound::copy;
  static constexpr const char* extents = "rows x cols";
  static constexpr int kExtents = 2;
  static constexpr std::int64_t executor_size = 128;
  static std::vector<std::int64_t> bench_sizes() { return {512, 1024, 4096, 8192}; }

  struct Shape {
    std::int64_t rows, cols;
    bool in_place = false;
    std::int64_t in_gap = 0, out_gap = 0;  // elements between a line's end and the next line
    std::int64_t scale() const {
      return std::llround(std::sqrt(static_cast<double>(rows) * static_cast<double>(cols)));
    }
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
  using Cases = CaseList<Case<float>, Case<double>, Case<std::int32_t>, Case<std::int64_t>, Case<half>>;

  static std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> extents, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
    return benchmarks(id, std::vector{n, n}, seed);
  }
  static Work work(CaseId id, const Shape& shape);

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.rows == 0 || args.cols == 0;
  }

  /// For steps that write while others still read.
  static std::string refuse_in_place(const Shape& shape, CaseId) {
    return shape.in_place ? "works out of place only" : "";
  }
};

namespace detail {
/// out has the extents of the transposed `in`, and its layout.
TANDEM_API void require_transposed(const MatrixView<const std::byte>& in,
                                   const MatrixView<const std::byte>& out);
}  // namespace detail

/// out(j, i) = in(i, j) in the memory of the context, without waiting for it.
///
/// in: rows × cols; out: cols × rows in the same layout (a view in the other layout is a transposition
/// already: transposed(in)). Elements: float, double, int32, int64, half; custom paths move them bit for
/// bit; a library may change the payload of a NaN. out may be in itself
/// where it is square with the same leading dimension; any other overlap is refused. Elements in the gaps
/// between lines stay as they are. O(rows · cols) work; allocates nothing after the first call of a shape.
/// Throws InvalidArgument (shapes do not conform, layouts differ or are unknown, a leading dimension below
/// the length of a line, null pointers, host memory in a device context, overlap, unknown options.use),
/// Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Ruetsch, Micikevicius 2009, "Optimizing matrix transpose in CUDA".
template <class In, class T>
void transpose(Context& ctx, const MatrixView<In>& in, const MatrixView<T>& out,
               const Options& options = {}) {
  static_assert(std::is_same_v<std::remove_const_t<In>, T>, "transpose: out must hold the type of in");
  using C = Transpose::Case<T>;
  static_assert(case_index<Transpose, C>() >= 0, "transpose does not take this element type");
  constexpr const char* op = Transpose::name;
  require::matrix(ctx, op, "in", untyped(in), sizeof(T));
  require::matrix(ctx, op, "out", untyped(out), sizeof(T));
  detail::require_transposed(untyped(in), untyped(out));
  const bool in_place = in.data == out.data && in.ld == out.ld && in.rows == in.cols;
  if (!in_place) require::apart(op, "in", untyped(in), "out", untyped(out), sizeof(T));
  detail::call<Transpose, C>(ctx, {in.data, in.lines(), in.line(), in.ld, out.data, out.ld},
                             {in.lines(), in.line(), in_place}, options);
}

/// In place: a(i, j) and a(j, i) change places. `a` is square. Otherwise as above.
template <class T>
void transpose(Context& ctx, const MatrixView<T>& a, const Options& options = {}) {
  transpose(ctx, a, a, options);
}

}  // namespace tandem
