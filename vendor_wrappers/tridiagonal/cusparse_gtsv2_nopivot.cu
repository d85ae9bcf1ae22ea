// cusparse?gtsv2_nopivot: a call per matrix.
// Limits:  systems of one length; never exchanges rows.

#include "vendor_wrappers/tridiagonal/cusparse_gtsv2.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_gtsv2_nopivot(const typename C::Args& a, Context& ctx) {
  if constexpr (std::is_same_v<typename C::T, float>)
    gtsv2_each<C>(a, ctx, cusparseSgtsv2_nopivot_bufferSizeExt, cusparseSgtsv2_nopivot);
  else
    gtsv2_each<C>(a, ctx, cusparseDgtsv2_nopivot_bufferSizeExt, cusparseDgtsv2_nopivot);
}

REGISTER(
    Tridiagonal, cusparse_gtsv2_nopivot, .note = "gtsv2_nopivot", .version = cusparse_version(),
    .refuses = [](const Tridiagonal::Shape& s, CaseId) { return cusparse_refuses(s, false); },
    .suits = gtsv2_suits, .loses_digits_on = "laplacian lapack5 lapack6 lapack11 lapack12",
    .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
