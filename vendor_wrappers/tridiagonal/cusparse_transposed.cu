// gtsvInterleavedBatch for contiguous systems: cublas?geam transposes the matrix and the right-hand side,
// algorithm 1 (LU with pivoting) solves, geam transposes the solution back.
// Limits:  contiguous systems of one length, with a matrix each.

#include "vendor_wrappers/common/cublas.cuh"
#include "vendor_wrappers/tridiagonal/cusparse_interleaved.cuh"

namespace tandem {
namespace {

/// out = inᵀ; `in` has rows × cols elements, row by row.
template <class T>
void transpose_by_geam(Context& ctx, const T* in, std::int64_t rows, std::int64_t cols, std::int64_t ld_in,
                       T* out, std::int64_t ld_out) {
  const auto call = [&](auto geam) {
    const T one(1), zero(0);
    check(geam(cublas(ctx, CUBLAS_DEFAULT_MATH), CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, in, ld_in, &zero,
               out, ld_out, out, ld_out),
          ctx, "cublas?geam");
  };
  if constexpr (std::is_same_v<T, float>)
    call(cublasSgeam_64);
  else
    call(cublasDgeam_64);
}

template <class T>
__global__ void fill(T* out, std::int64_t size, T value) {
  const std::int64_t i = std::int64_t(blockIdx.x) * kCopyThreads + threadIdx.x;
  if (i < size) out[i] = value;
}

template <class C>
void cusparse_transposed(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const Dense dense{true, std::max(a.n, kFewestRows), a.count};
  const auto line = [&](const Tridiagonal::Strides& strides) { return std::max(strides.system, a.n); };
  // Fills `rows` rows from row `from` on: the zeros that the library asks for, and rows of the identity
  // beyond n.
  const auto rows_from = [&](T* array, std::int64_t from, std::int64_t rows, T value) {
    const std::int64_t size = rows * a.count;
    if (size > 0)
      launch(ctx, ceil_div(size, kCopyThreads), kCopyThreads, 0, fill<T>, array + from * a.count, size,
             value);
  };
  const auto transposed = [&](const T* in, const Tridiagonal::Strides& strides, T beyond) {
    T* out = ctx.scratch<T>(dense.size());
    transpose_by_geam(ctx, in, a.count, a.n, line(strides), out, a.count);
    rows_from(out, a.n, dense.n - a.n, beyond);
    return out;
  };
  T* lower = transposed(a.lower, a.matrix, 0);
  T* diag = transposed(a.diag, a.matrix, 1);
  T* upper = transposed(a.upper, a.matrix, 0);
  T* x = transposed(a.rhs, a.vector, 0);
  rows_from(lower, 0, 1, 0);
  rows_from(upper, a.n - 1, 1, 0);
  call_library(ctx, [&] { gtsv_interleaved_batch(ctx, 1, dense, lower, diag, upper, x); });
  transpose_by_geam(ctx, static_cast<const T*>(x), a.n, a.count, a.count, a.x, line(a.vector));
}

std::string refuses(const Tridiagonal::Shape& shape, CaseId) {
  if (shape.systems.shared_matrix) return "transposes a matrix for each system";
  if (shape.systems.outer > 1) return "geam transposes one matrix: takes systems at one distance only";
  if (!is_contiguous(shape.systems)) return "geam takes rows in one piece: for contiguous systems only";
  return cusparse_refuses(shape, true);
}

REGISTER(Tridiagonal, cusparse_transposed,
         .note = "transposed by geam, gtsvInterleavedBatch (LU), transposed back",
         .version = cusparse_version(), .refuses = refuses, .suits = Tridiagonal::suits_threads,
         .loses_digits_on = "lapack5 lapack6 lapack11 lapack12",
         .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
