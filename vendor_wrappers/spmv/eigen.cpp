// needs: eigen
// Eigen's product of a sparse matrix in rows and a vector, on OpenMP's threads from 20,000 elements on. It wants offsets of
// 32 bits, like its column numbers, so these are copied first.
// Limits:  fewer than 2^31 elements.

#include <Eigen/SparseCore>
#include <climits>

#include "lib/core/library_call.h"
#include "lib/ops/spmv/contract.h"
#include "vendor_wrappers/common/openmp.h"

namespace tandem {
namespace {

template <class C>
void eigen(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  auto* const offsets = ctx.scratch<std::int32_t>(a.rows.count + 1);
  for (std::int64_t r = 0; r <= a.rows.count; ++r) offsets[r] = static_cast<std::int32_t>(a.rows.begin(r));
  const Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor>> matrix(a.rows.count, a.cols, a.elements,
                                                                         offsets, a.columns, a.values);
  const Eigen::Map<const Vector> x(a.x, a.cols);
  Eigen::Map<Vector> y(a.y, a.rows.count);
  call_library(ctx, [&] {
    if (a.beta == T(0))
      y.setZero();
    else if (a.beta != T(1))
      y *= a.beta;
    if (a.alpha == T(1))
      y.noalias() += matrix * x;
    else
      y.noalias() += a.alpha * (matrix * x);
  });
}

REGISTER(
    Spmv, eigen, .note = "Eigen, all threads",
    .version = detail::version("Eigen", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION),
    .refuses = [](const Spmv::Shape& s,
                  CaseId) { return std::string(s.elements > INT_MAX ? "its offsets have 32 bits" : ""); },
    .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
