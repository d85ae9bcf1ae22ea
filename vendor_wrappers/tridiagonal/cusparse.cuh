#pragma once
// What the solvers of cuSPARSE ask of a caller, done and timed as part of the call: at least a few rows,
// zeros in lower[0] and upper[n−1], a matrix that may be overwritten, and a right-hand side that the solution
// overwrites.

#include <algorithm>
#include <climits>

#include "lib/core/library_call.h"
#include "lib/ops/tridiagonal/contract.h"
#include "vendor_wrappers/common/cusparse.cuh"

namespace tandem {

constexpr int kCopyThreads = 256;
constexpr std::int64_t kFewestRows =
    4;  // it asks for 3, but with 3 its interleaved solvers write past the end

/// Systems without gaps, in one of the layouts that the library knows.
struct Dense {
  bool interleaved;
  std::int64_t n, count;  // n: at least kFewestRows
  TANDEM_HD std::int64_t size() const { return n * count; }
};

/// Copies the caller's array `in` to the dense array `out`, one element per thread. Rows beyond the system's
/// end hold `beyond`, row `unread` holds 0.
template <class C>
__global__ void copy_to_dense(typename C::Args a, Tridiagonal::Strides strides, const typename C::T* in,
                              Dense dense, typename C::T* out, int beyond, std::int64_t unread) {
  const unsigned e = blockIdx.x * kCopyThreads + threadIdx.x;
  if (e >= dense.size()) return;
  const unsigned line = unsigned(dense.interleaved ? dense.count : dense.n);
  const std::int64_t row = dense.interleaved ? e / line : e % line,
                     system = dense.interleaved ? e % line : e / line;
  if (row == unread || row >= a.n)
    out[e] = row == unread ? 0 : beyond;
  else
    out[e] = in[a.start(strides, system) + row * strides.row];
}
template <class C>
__global__ void copy_from_dense(typename C::Args a, const typename C::T* in, Dense dense) {
  const unsigned e = blockIdx.x * kCopyThreads + threadIdx.x;
  if (e >= dense.size()) return;
  const unsigned line = unsigned(dense.interleaved ? dense.count : dense.n);
  const std::int64_t row = dense.interleaved ? e / line : e % line,
                     system = dense.interleaved ? e % line : e / line;
  if (row < a.n) a.x[a.start(a.vector, system) + row * a.vector.row] = in[e];
}

/// Calls solve(dense, lower, diag, upper, x) on copies in this layout; x holds the right-hand side. A matrix
/// that `solve` overwrites is copied whole; else only lower and upper, whose corners must be zero, and diag
/// where it is not dense.
template <class C, class Solve>
void solve_dense(const typename C::Args& a, Context& ctx, bool interleaved, bool overwrites, Solve solve) {
  using T = typename C::T;
  const Dense dense{interleaved, std::max(a.n, kFewestRows), a.count};
  const auto is_dense = [&](const Tridiagonal::Strides& s) {
    return a.n >= kFewestRows && a.inner == a.count &&
           (interleaved ? s.row == a.count && s.system == 1 : s.row == 1 && s.system == a.n);
  };
  const auto copy = [&](const T* in, const Tridiagonal::Strides& strides, T* out, int beyond,
                        std::int64_t unread) {
    launch(ctx, ceil_div(dense.size(), kCopyThreads), kCopyThreads, 0, copy_to_dense<C>, a, strides, in,
           dense, out, beyond, unread);
    return out;
  };
  T* lower = copy(a.lower, a.matrix, ctx.scratch<T>(dense.size()), 0, 0);
  T* upper = copy(a.upper, a.matrix, ctx.scratch<T>(dense.size()), 0, a.n - 1);
  const T* diag = overwrites || !is_dense(a.matrix)
                      ? copy(a.diag, a.matrix, ctx.scratch<T>(dense.size()), 1, -1)
                      : a.diag;
  T* x = is_dense(a.vector) ? a.x : ctx.scratch<T>(dense.size());
  if (x != a.rhs) copy(a.rhs, a.vector, x, 0, -1);
  call_library(ctx, [&] { solve(dense, lower, const_cast<T*>(diag), upper, x); });
  if (x != a.x)
    launch(ctx, ceil_div(dense.size(), kCopyThreads), kCopyThreads, 0, copy_from_dense<C>, a,
           static_cast<const T*>(x), dense);
}

/// What none of these solvers takes, and what those without pivoting do not.
inline std::string cusparse_refuses(const Tridiagonal::Shape& shape, bool pivots) {
  const Systems& s = shape.systems;
  if (shape.list) return "takes systems of one length only";
  if (shape.report) return "does not report a singular matrix";
  if (s.pivot && !pivots) return "never exchanges rows, which this matrix may need";
  if (std::max(s.n, kFewestRows) > INT_MAX / s.count()) return "cuSPARSE counts in 32 bits here";
  return "";
}

/// The layout that a solver works in; any other is copied, with accesses that do not coalesce.
inline bool is_contiguous(const Systems& s) { return s.row == 1 || s.n == 1; }
inline bool is_interleaved(const Systems& s) { return s.system == 1 || s.inner == 1; }

}  // namespace tandem
