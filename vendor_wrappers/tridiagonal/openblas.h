#pragma once
// LAPACK's ?gtsv, a call per system, for the rows of one thread and of all threads. It overwrites the matrix,
// so each system is copied first.

#include <climits>

#include "lib/ops/tridiagonal/pieces.h"
#include "lib/ops/tridiagonal/pivot.h"
#include "vendor_wrappers/common/openblas.h"

extern "C" {
void sgtsv_(const int* n, const int* nrhs, float* dl, float* d, float* du, float* b, const int* ldb,
            int* info);
void dgtsv_(const int* n, const int* nrhs, double* dl, double* d, double* du, double* b, const int* ldb,
            int* info);
}

namespace tandem {

inline std::string gtsv_refuses(const Tridiagonal::Shape& s, CaseId) {
  return s.systems.n > INT_MAX ? "LAPACK counts in 32 bits here" : openblas_missing();
}

template <class C>
void gtsv_each(const typename C::Args& a, Context& ctx, int threads) {
  using T = typename C::T;
  T* copies = ctx.scratch<T>(4 * a.n * threads);
  Pieces pieces = systems_per_piece(a.n);
  if (threads == 1) pieces.alone = a.count;
  parallel_for(a.count, pieces, [&](std::int64_t begin, std::int64_t end, int worker) {
    T* lower = copies + 4 * a.n * worker;
    T *diag = lower + a.n, *upper = diag + a.n, *x = upper + a.n;
    const int one = 1;
    for (std::int64_t s = begin; s < end; ++s) {
      const auto [m, v, rows] = a.locate(s);
      const auto n = static_cast<int>(rows);
      for (std::int64_t i = 0; i < n; ++i) {
        if (i > 0) lower[i - 1] = a.lower[m + i * a.matrix.row];
        diag[i] = a.diag[m + i * a.matrix.row];
        if (i + 1 < n) upper[i] = a.upper[m + i * a.matrix.row];
        x[i] = a.rhs[v + i * a.vector.row];
      }
      int info = 0;
      if constexpr (std::is_same_v<T, float>)
        OPENBLAS(sgtsv_)(&n, &one, lower, diag, upper, x, &n, &info);
      else
        OPENBLAS(dgtsv_)(&n, &one, lower, diag, upper, x, &n, &info);
      if (info > 0) report_pivot(a, s, info - 1);
      for (std::int64_t i = 0; i < n; ++i) a.x[v + i * a.vector.row] = x[i];
    }
  });
}

}  // namespace tandem
