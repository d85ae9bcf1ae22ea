// needs: eigen
// Eigen's product of a sparse matrix in rows and a dense matrix, on OpenMP's threads from 20,000 products on. It wants offsets and
// column numbers of one type: where these have 32 bits, offsets are copied first. What C holds is added to whole sums: Eigen itself
// would add products to it one by one, each rounded at the size of that.
// Limits:  fewer than 2^31 elements.

#include <climits>

#include "lib/core/library_call.h"
#include "lib/ops/spmm/contract.h"
#include "vendor_wrappers/common/eigen_csr.h"
#include "vendor_wrappers/common/openmp.h"

namespace tandem {
namespace {

/// Calls run with a map of a matrix, in whichever order it has.
template <class T, class Run>
void mapped(const Strided<T>& m, std::int64_t rows, std::int64_t cols, Run run) {
  using Element = std::remove_const_t<T>;
  const auto as = [&]<int kOrder>() {
    using Matrix = Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic, kOrder>;
    using Same = std::conditional_t<std::is_const_v<T>, const Matrix, Matrix>;
    run(Eigen::Map<Same, 0, Eigen::OuterStride<>>(
        m.data, rows, cols, Eigen::OuterStride<>(kOrder == Eigen::RowMajor ? m.row : m.col)));
  };
  if (m.col == 1)
    as.template operator()<Eigen::RowMajor>();
  else
    as.template operator()<Eigen::ColMajor>();
}

template <class C>
void eigen(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::int64_t size = given.beta == T(0) ? 0 : given.rows.count * given.width;
  Eigen::Map<Rows> product(ctx.scratch<T>(size), given.rows.count, given.width);
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    using Column = typename K::ColumnNumber;
    const EigenCsr<T, Column> matrix(a.rows.count, a.cols, a.elements, eigen_offsets<Column>(a.rows, ctx),
                                     a.columns, a.values);
    mapped(a.b, a.cols, a.width, [&](const auto& b) {
      mapped(a.c, a.rows.count, a.width, [&](auto c) {
        call_library(ctx, [&] {
          if (a.beta == T(0)) {
            c.noalias() = matrix * b;
            if (a.alpha != T(1)) c *= a.alpha;
          } else {
            product.noalias() = matrix * b;
            c = a.alpha * product + a.beta * c;
          }
        });
      });
    });
  });
}

REGISTER(
    Spmm, eigen, .note = "Eigen, all threads",
    .version = detail::version("Eigen", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION),
    .refuses = [](const Spmm::Shape& s,
                  CaseId) { return std::string(s.elements > INT_MAX ? "its offsets have 32 bits" : ""); },
    .by_name_only = kAwakeTeam)

}  // namespace
}  // namespace tandem
