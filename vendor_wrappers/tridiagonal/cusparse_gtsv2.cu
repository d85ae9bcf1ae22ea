// cusparse?gtsv2: a call per matrix.
// Limits:  systems of one length.

#include "vendor_wrappers/tridiagonal/cusparse_gtsv2.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_gtsv2(const typename C::Args& a, Context& ctx) {
  if constexpr (std::is_same_v<typename C::T, float>)
    gtsv2_each<C>(a, ctx, cusparseSgtsv2_bufferSizeExt, cusparseSgtsv2);
  else
    gtsv2_each<C>(a, ctx, cusparseDgtsv2_bufferSizeExt, cusparseDgtsv2);
}

REGISTER(
    Tridiagonal, cusparse_gtsv2, .note = "gtsv2, with pivoting", .version = cusparse_version(),
    .refuses = [](const Tridiagonal::Shape& s, CaseId) { return cusparse_refuses(s, true); },
    .suits = gtsv2_suits, .loses_digits_on = "lapack5 lapack6 lapack7 lapack11 lapack12",
    .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
