// needs: eigen
// Eigen's product of a sparse matrix in rows and a vector, on OpenMP's threads from 20,000 elements on. It wants offsets and column
// numbers of one type: where these have 32 bits, offsets are copied first.
// Limits:  fewer than 2^31 elements.

#include <climits>

#include "lib/core/library_call.h"
#include "lib/ops/spmv/contract.h"
#include "vendor_wrappers/common/eigen_csr.h"
#include "vendor_wrappers/common/openmp.h"

namespace tandem {
namespace {

template <class C>
void eigen(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    using Column = typename K::ColumnNumber;
    const EigenCsr<T, Column> matrix(a.rows.count, a.cols, a.elements, eigen_offsets<Column>(a.rows, ctx),
                                     a.columns, a.values);
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
