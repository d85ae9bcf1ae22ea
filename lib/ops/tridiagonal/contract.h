#pragma once
// tridiagonal: many systems  lower[i]·x[i−1] + diag[i]·x[i] + upper[i]·x[i+1] = rhs[i],  i = 0 … n−1.
//
// A sweep along one axis of a 3-D array is a batch of such systems, so a batch is described by strides and no sweep
// needs a copy. lower[0] and upper[n−1] are never read.

#include <cstdint>

#include "lib/core/call.h"
#include "lib/harness/operation.h"

namespace tandem {

/// The shape of a batch: inner × outer systems of n unknowns each. Row i of system (s, t), s < inner, t < outer, lies
/// at element  i·row + s·system + t·block  of its array. See contiguous(), interleaved() and sweep().
struct Systems {
  std::int64_t n;
  std::int64_t inner, outer;
  std::int64_t row, system, block;
  /// One matrix for all systems: lower, diag and upper are arrays of n elements, whatever the strides.
  bool shared_matrix = false;
  /// Rows may have to be exchanged: for matrices of which nothing is known. Not needed where every |diag| exceeds
  /// |lower| + |upper| of its row, nor for symmetric positive definite matrices. Paths without pivoting refuse.
  bool pivot = false;

  std::int64_t count() const { return inner * outer; }
};

/// Each system in one piece, one after the other.
constexpr Systems contiguous(std::int64_t n, std::int64_t count) { return {n, count, 1, 1, n, 0}; }
/// Row i of all systems side by side.
constexpr Systems interleaved(std::int64_t n, std::int64_t count) { return {n, count, 1, count, 1, 0}; }
/// The sweep along axis 0 (x), 1 (y) or 2 (z) of an array of nx × ny × nz elements, x fastest.
TANDEM_API Systems sweep(int axis, std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// Systems of different lengths, one behind the other: system s has rows offsets[s] … offsets[s+1] − 1 of every array. So
/// the offsets ascend from 0 or more, and are one more than the systems.
struct SystemList {
  View<const std::int64_t> offsets;  // in the memory of the context
  bool pivot = false;                // as in Systems
};
template <Viewable Offsets>
SystemList system_list(const Offsets& offsets) {
  const auto o = view(offsets);
  return {{o.data, o.size}};
}

/// An equation  lower·x[i−1] + diag·x[i] + upper·x[i+1] = rhs: what a functor returns that computes coefficients on the
/// fly (tandem.cuh).
template <class T>
struct TridiagonalRow {
  T lower, diag, upper, rhs;
};

/// A matrix turned out singular (or, without `pivot`, to need an exchange of rows): in this row of this system, numbered
/// s + t·inner, elimination met a pivot that is zero, below the smallest normal number, or NaN. The solution of that
/// system is unspecified, those of others are right.
class TANDEM_API SingularSystem : public Error {
 public:
  SingularSystem(std::int64_t system, std::int64_t row);
  std::int64_t system, row;
};

struct Tridiagonal {
  static constexpr const char* name = "tridiagonal";
  static constexpr const char* meaning = "many systems lower x[i-1] + diag x[i] + upper x[i+1] = rhs[i]";
  static constexpr Bound bound = Bound::copy;
  static constexpr const char* extents = "n x systems";
  static constexpr int kExtents = 2;
  static constexpr std::int64_t executor_size = 64;
  static std::vector<std::int64_t> bench_sizes() { return {64, 256, 1024}; }

  /// Matrices of the tests. The last twelve are those of LAPACK's test programs (LAPACK Working Note 41, section 6).
  enum class Matrix : std::uint8_t {
    dominant,   // random, |diag| > |lower| + |upper|
    laplacian,  // −1, 2, −1
    lapack1,    // diagonal
    lapack2,    // singular values between 1 and ½
    lapack3,    // condition √(0.1/ε)
    lapack4,    // condition 0.1/ε
    lapack5,    // as 2, near underflow
    lapack6,    // as 2, near overflow
    lapack7,    // random
    lapack8,    // as 7, first column zero
    lapack9,    // as 7, last column zero
    lapack10,   // as 7, last half of the columns zero
    lapack11,   // as 7, near underflow
    lapack12,   // as 7, near overflow
  };

  struct Shape {
    Systems systems;  // of a list: as many, each of the greatest length that one may have
    bool list = false;
    bool in_place = false;
    /// A singular matrix must be reported. The automatic choice asks for it.
    bool report = false;
    Matrix matrix = Matrix::dominant;  // of the tests
    std::int64_t scale() const { return systems.n; }
  };

  struct Strides {
    std::int64_t row, system, block;
  };

  template <class Element>
  struct Case {
    using T = Element;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    struct Args {
      const T *lower, *diag, *upper;
      const T* rhs;
      T* x;  // may be rhs
      std::int64_t n, count, inner;
      Strides matrix, vector;  // of lower, diag and upper; of rhs and x
      std::uint64_t* status;   // see PivotFailure (tandem/device/pivot.h)
      // Of a list of systems, which steps take that ask for place(s): where they start, and how many rows there may be in
      // all. n is then no less than the longest, the strides between rows are 1.
      const std::int64_t* offsets = nullptr;
      std::int64_t rows = 0;

      /// Where row 0 of system s lies.
      TANDEM_HD std::int64_t start(const Strides& strides, std::int64_t s) const {
        if (s < inner) return s * strides.system;  // a division takes a kernel longer than the rest
        return s % inner * strides.system + s / inner * strides.block;
      }
      /// Where row 0 of system s lies in lower, diag and upper and in rhs and x, and how many rows it has.
      struct Extent {
        std::int64_t matrix, vector, n;
      };
      TANDEM_HD Extent place(std::int64_t s) const {
        if (offsets) return {offsets[s], offsets[s], offsets[s + 1] - offsets[s]};
        return {start(matrix, s), start(vector, s), n};
      }
      /// Scratch for all rows of all systems: interleaved, whatever their layout, or like the list.
      TANDEM_HD std::int64_t unknowns() const { return offsets ? rows : n * count; }
      TANDEM_HD std::int64_t first_of_all(std::int64_t s) const { return offsets ? offsets[s] : s; }
      TANDEM_HD std::int64_t step_of_all() const { return offsets ? 1 : count; }
    };
    static Args args(const T* lower, const T* diag, const T* upper, const T* rhs, T* x,
                     const Systems& systems, std::uint64_t* status) {
      const Strides vector{systems.row, systems.system, systems.block};
      return {lower,
              diag,
              upper,
              rhs,
              x,
              systems.n,
              systems.count(),
              systems.inner,
              systems.shared_matrix ? Strides{1, 0, 0} : vector,
              vector,
              status};
    }
    static Args args(const T* lower, const T* diag, const T* upper, const T* rhs, T* x,
                     const std::int64_t* offsets, std::int64_t count, std::int64_t longest, std::int64_t rows,
                     std::uint64_t* status) {
      const Strides vector{1, 0, 0};
      return {lower, diag, upper, rhs, x, longest, count, count, vector, vector, status, offsets, rows};
    }
  };
  using Cases = CaseList<Case<float>, Case<double>>;

  static std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> extents, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) {
    return benchmarks(id, std::vector{n, n}, seed);
  }
  static Work work(CaseId id, const Shape& shape);

  template <class C>
  static bool done_without_work(const typename C::Args&, Context&) {
    return false;
  }

  /// For steps that never exchange rows.
  static std::string refuse_pivot(const Shape& shape, CaseId) {
    return shape.systems.pivot ? "never exchanges rows, which this matrix may need" : "";
  }

  /// For steps that take systems of one length only, and never exchange rows.
  static std::string refuse_list_and_pivot(const Shape& shape, CaseId id) {
    return shape.list ? "takes systems of one length only" : refuse_pivot(shape, id);
  }
};

namespace detail {
struct TridiagonalArray {
  const char* name;
  const void* data;
  std::int64_t size;
};
/// Extents of at least 1, strides under which no two unknowns meet, x long enough.
TANDEM_API void require_tridiagonal(Context& ctx, const Systems& systems, const TridiagonalArray& x,
                                    std::size_t element_bytes);
/// The same of five arrays, which are apart.
TANDEM_API void require_tridiagonal(Context& ctx, const Systems& systems, const TridiagonalArray (&arrays)[5],
                                    std::size_t element_bytes);
/// Offsets that ascend and end within the arrays, as far as the host can see them; arrays of one size and apart. Returns
/// a length that no system exceeds.
TANDEM_API std::int64_t require_tridiagonal(Context& ctx, const SystemList& systems,
                                            const TridiagonalArray (&arrays)[5], std::size_t element_bytes);
/// The context's status word. From the first call on, whatever waits for the context throws what it says.
TANDEM_API std::uint64_t* tridiagonal_status(Context& ctx);

/// Batch: Systems or SystemList.
template <class Lower, class Diag, class Upper, class Rhs, class X, class Batch>
void solve_tridiagonal(Context& ctx, const Lower& lower, const Diag& diag, const Upper& upper, const Rhs& rhs,
                       X&& x, const Batch& systems, const Options& options) {
  using T = element_of<X>;
  using C = Tridiagonal::Case<T>;
  static_assert(case_index<Tridiagonal, C>() >= 0, "tridiagonal takes float and double");
  static_assert(std::is_same_v<element_of<const Lower>, T> && std::is_same_v<element_of<const Diag>, T> &&
                    std::is_same_v<element_of<const Upper>, T> && std::is_same_v<element_of<const Rhs>, T>,
                "tridiagonal: all arrays must hold one type");
  const auto l = view(lower);
  const auto d = view(diag);
  const auto u = view(upper);
  const auto b = view(rhs);
  const auto y = view(x);
  const TridiagonalArray arrays[] = {{"lower", l.data, l.size},
                                     {"diag", d.data, d.size},
                                     {"upper", u.data, u.size},
                                     {"rhs", b.data, b.size},
                                     {"x", y.data, y.size}};
  typename C::Args args;
  Tridiagonal::Shape shape;
  if constexpr (std::is_same_v<Batch, SystemList>) {
    const std::int64_t longest = require_tridiagonal(ctx, systems, arrays, sizeof(T));
    const std::int64_t count = systems.offsets.size - 1;
    args = C::args(l.data, d.data, u.data, b.data, y.data, systems.offsets.data, count, longest, y.size,
                   tridiagonal_status(ctx));
    shape = {{longest, count, 1, 1, longest, 0, false, systems.pivot}, true};
  } else {
    require_tridiagonal(ctx, systems, arrays, sizeof(T));
    args = C::args(l.data, d.data, u.data, b.data, y.data, systems, tridiagonal_status(ctx));
    shape = {systems, false};
  }
  shape.in_place = b.data == y.data;
  shape.report = options.use.empty();
  call<Tridiagonal, C>(ctx, args, shape, options);
  if (ctx.place() != Place::device) ctx.synchronize();
}
}  // namespace detail

/// Solves every system of the batch; x in the memory of the context, without waiting for it.
///
/// lower, diag, upper, rhs, x: float or double, each at least as long as the last element that `systems` speaks of; with
/// systems.shared_matrix the first three hold n elements. lower, diag, upper and rhs stay as they are; x may be rhs
/// itself, any other overlap with x is refused. lower[0] and upper[n−1] of each system are never read, nor is anything
/// between the elements of the batch written.
/// Accuracy: each solution has a residual ‖b − Ax‖ of at most 30·ε·‖A‖·‖x‖ (maximum norms) on paths that pivot, and on
/// the others for matrices that need no pivoting (parallel_cyclic_reduction: only where the diagonal dominates strictly).
/// A singular matrix is reported as SingularSystem, on the CPU by this call, on a GPU by the next call that waits for
/// the context (synchronize, Array::to_vector, reduce, …), so that no call has to wait on its account; only a library
/// asked for by name (vendor/cusparse_…) does not report. O(n · systems) work; allocates nothing after the first call of
/// a shape. Throws InvalidArgument (n or a count below 1, strides by which unknowns meet, arrays too short, null
/// pointers, host memory in a device context, overlap, unknown options.use), Unavailable (options.use cannot run here or
/// does not take this shape), OutOfMemory, DeviceError.
/// Source:  Thomas 1949; Hockney 1965 (cyclic reduction); Wang 1981, "A parallel method for tridiagonal equations";
///          Zhang, Cohen, Owens 2010, "Fast tridiagonal solvers on the GPU".
template <Viewable Lower, Viewable Diag, Viewable Upper, Viewable Rhs, Viewable X>
void tridiagonal(Context& ctx, const Lower& lower, const Diag& diag, const Upper& upper, const Rhs& rhs,
                 X&& x, const Systems& systems, const Options& options = {}) {
  detail::solve_tridiagonal(ctx, lower, diag, upper, rhs, x, systems, options);
}

/// The same of systems of different lengths, in arrays of one size, of which offsets[count] may be smaller. On the host
/// offsets that do not ascend, or pass the arrays' end, throw InvalidArgument; a device cannot be asked without waiting for
/// it, so there such offsets read and write anywhere.
template <Viewable Lower, Viewable Diag, Viewable Upper, Viewable Rhs, Viewable X>
void tridiagonal(Context& ctx, const Lower& lower, const Diag& diag, const Upper& upper, const Rhs& rhs,
                 X&& x, const SystemList& systems, const Options& options = {}) {
  detail::solve_tridiagonal(ctx, lower, diag, upper, rhs, x, systems, options);
}

}  // namespace tandem
