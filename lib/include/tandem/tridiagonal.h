#pragma once
// tridiagonal: many systems  lower[i]·x[i−1] + diag[i]·x[i] + upper[i]·x[i+1] = rhs[i],  i = 0 … n−1.
//
// A sweep along one axis of a 3-D array is a batch of such systems, so a batch is described by strides and no
// sweep needs a copy. lower[0] and upper[n−1] are never read.

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/singular_system.h"
#include "tandem/types.h"

namespace tandem {

/// The shape of a batch: inner × outer systems of n unknowns each. Row i of system (s, t), s < inner, t <
/// outer, lies at element  i·row + s·system + t·block  of its array. See contiguous(), interleaved() and
/// sweep().
struct Systems {
  std::int64_t n;
  std::int64_t inner, outer;
  std::int64_t row, system, block;
  /// One matrix for all systems: lower, diag and upper are arrays of n elements, whatever the strides.
  bool shared_matrix = false;
  /// Rows may have to be exchanged: for matrices of which nothing is known. Not needed where every |diag|
  /// exceeds |lower| + |upper| of its row, nor for symmetric positive definite matrices. Paths without
  /// pivoting refuse.
  bool pivot = false;

  std::int64_t count() const { return inner * outer; }
};

/// Each system in one piece, one after the other. contiguous(n): one system.
constexpr Systems contiguous(std::int64_t n, std::int64_t count = 1) { return {n, count, 1, 1, n, 0}; }
/// Row i of all systems side by side.
constexpr Systems interleaved(std::int64_t n, std::int64_t count) { return {n, count, 1, count, 1, 0}; }
/// The sweep along axis 0 (x), 1 (y) or 2 (z) of an array of nx × ny × nz elements, x fastest.
/// InvalidArgument for another axis, an extent below 1, or more elements than 2^63 − 1.
TANDEM_API Systems sweep(int axis, std::int64_t nx, std::int64_t ny, std::int64_t nz);

/// Systems of different lengths, one behind the other: system s has rows offsets[s] … offsets[s+1] − 1 of
/// every array. offsets: count + 1 of them, ascending.
struct SystemList {
  View<const std::int64_t> offsets;  // in the memory of the context
  bool pivot = false;                // as in Systems
};
template <Viewable Offsets>
SystemList system_list(const Offsets& offsets) {
  const auto o = view(offsets);
  return {{o.data, o.size}};
}

/// An equation  lower·x[i−1] + diag·x[i] + upper·x[i+1] = rhs: what a functor returns that computes
/// coefficients on the fly (functors.cuh).
template <class T>
struct TridiagonalRow {
  T lower, diag, upper, rhs;
};

namespace detail {
/// in: lower, diag, upper and rhs.
TANDEM_API void tridiagonal(Context& ctx, Type type, const ConstMemory (&in)[4], Memory x,
                            const Systems& systems, const Options& options);
TANDEM_API void tridiagonal(Context& ctx, Type type, const ConstMemory (&in)[4], Memory x,
                            const SystemList& systems, const Options& options);
/// What a functor's batch must be: extents of at least 1, strides under which no two unknowns meet, x long
/// enough.
TANDEM_API void check_tridiagonal(Context& ctx, const Systems& systems, ConstMemory x,
                                  std::size_t element_bytes);
/// The context's status word. From the first call on, whatever waits for the context throws what it says.
TANDEM_API std::uint64_t* tridiagonal_status(Context& ctx);

template <class Lower, class Diag, class Upper, class Rhs, class X, class Batch>
void tridiagonal(Context& ctx, const Lower& lower, const Diag& diag, const Upper& upper, const Rhs& rhs,
                 X&& x, const Batch& systems, const Options& options) {
  using T = element_of<X>;
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "tridiagonal takes float and double");
  static_assert(std::is_same_v<element_of<const Lower>, T> && std::is_same_v<element_of<const Diag>, T> &&
                    std::is_same_v<element_of<const Upper>, T> && std::is_same_v<element_of<const Rhs>, T>,
                "tridiagonal: all arrays must hold one type");
  const ConstMemory in[] = {const_memory(lower), const_memory(diag), const_memory(upper), const_memory(rhs)};
  tridiagonal(ctx, type_of<T>, in, memory(x), systems, options);
}
}  // namespace detail

/// Solves every system of the batch; x in the memory of the context, without waiting for it.
///
/// lower, diag, upper, rhs, x: float or double, each at least as long as the last element of the batch; with
/// systems.shared_matrix the first three hold n elements. lower, diag, upper and rhs stay as they are; x may
/// be rhs itself, any other overlap with x is refused. lower[0] and upper[n−1] of each system are never read,
/// nor is anything between the elements of the batch written.
/// Accuracy: each solution has a residual ‖b − Ax‖ of at most 30·ε·‖A‖·‖x‖ (maximum norms) on paths that
/// pivot, and on the others for matrices that need no pivoting (parallel_cyclic_reduction: only where the
/// diagonal dominates strictly). A singular matrix is reported as SingularSystem, on the CPU by this call, on
/// a GPU by the next call that waits for the context (synchronize, Array::to_vector, reduce, …), so that no
/// call has to wait on its account; only a library asked for by name (vendor/cusparse_…) does not report. O(n
/// · systems) work; allocates nothing after the first call of a shape. Throws InvalidArgument (n or a count
/// below 1, strides by which unknowns meet, arrays too short, null pointers, host memory in a device context,
/// overlap, unknown options.use), Unavailable (options.use cannot run here or does not take this shape),
/// OutOfMemory, DeviceError.
/// Source:  Thomas 1949; Hockney 1965 (cyclic reduction); Wang 1981, "A parallel method for tridiagonal
///          equations"; Zhang, Cohen, Owens 2010, "Fast tridiagonal solvers on the GPU".
template <Viewable Lower, Viewable Diag, Viewable Upper, Viewable Rhs, Viewable X>
void tridiagonal(Context& ctx, const Lower& lower, const Diag& diag, const Upper& upper, const Rhs& rhs,
                 X&& x, const Systems& systems, const Options& options = {}) {
  detail::tridiagonal(ctx, lower, diag, upper, rhs, x, systems, options);
}

/// The same for systems of different lengths, in arrays of one size; offsets[count] may be smaller. On the
/// host offsets that do not ascend, or pass the arrays' end, throw InvalidArgument; a device cannot be asked
/// without waiting for it, so there such offsets read and write anywhere.
template <Viewable Lower, Viewable Diag, Viewable Upper, Viewable Rhs, Viewable X>
void tridiagonal(Context& ctx, const Lower& lower, const Diag& diag, const Upper& upper, const Rhs& rhs,
                 X&& x, const SystemList& systems, const Options& options = {}) {
  detail::tridiagonal(ctx, lower, diag, upper, rhs, x, systems, options);
}

}  // namespace tandem
