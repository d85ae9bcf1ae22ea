// needs: eigen
// Eigen's substitution for a sparse triangle in rows, on one thread. It wants offsets and column numbers of one type: where these
// have 32 bits, offsets are copied first. It solves in place.
// Limits:  fewer than 2^31 elements, columns that ascend, one triangle alone.

#include <climits>

#include "lib/core/library_call.h"
#include "lib/ops/sptrsv/contract.h"
#include "vendor_wrappers/common/eigen_csr.h"

namespace tandem {
namespace {

template <class C>
void eigen(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    using Column = typename K::ColumnNumber;
    const EigenCsr<T, Column> matrix(a.rows, a.rows, a.elements,
                                     eigen_offsets<Column>({a.offsets, a.rows, 0, 0, 1}, ctx), a.columns,
                                     a.values);
    const Eigen::Map<const Vector> b(a.b, a.rows);
    Eigen::Map<Vector> x(a.x, a.rows);
    x = a.alpha * b;
    call_library(ctx, [&] {
      if (a.upper && a.unit)
        matrix.template triangularView<Eigen::UnitUpper>().solveInPlace(x);
      else if (a.upper)
        matrix.template triangularView<Eigen::Upper>().solveInPlace(x);
      else if (a.unit)
        matrix.template triangularView<Eigen::UnitLower>().solveInPlace(x);
      else
        matrix.template triangularView<Eigen::Lower>().solveInPlace(x);
    });
  });
}

REGISTER(
    Sptrsv, eigen, .note = "Eigen, one thread",
    .version = detail::version("Eigen", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION),
    .refuses =
        [](const Sptrsv::Shape& s, CaseId id) {
          if (s.elements > INT_MAX) return std::string("its offsets have 32 bits");
          return Sptrsv::refuse_reports_and_disorder(s, id);
        },
    .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
