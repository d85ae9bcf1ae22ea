// gtsvInterleavedBatch, algorithm 1: LU with pivoting. It overwrites the matrix, so all of it is copied
// first.
// Limits:  systems of one length; other layouts than interleaved are copied.

#include "vendor_wrappers/tridiagonal/cusparse_interleaved.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_interleaved_lu(const typename C::Args& a, Context& ctx) {
  gtsv_interleaved<C>(a, ctx, 1);
}

REGISTER(
    Tridiagonal, cusparse_interleaved_lu, .note = "gtsvInterleavedBatch, LU with pivoting",
    .version = cusparse_version(),
    .refuses = [](const Tridiagonal::Shape& s, CaseId) { return cusparse_refuses(s, true); },
    .suits =
        [](const Tridiagonal::Shape& s) {
          return is_interleaved(s.systems) && Tridiagonal::suits_threads(s);
        },
    .loses_digits_on = "lapack5 lapack6 lapack11 lapack12", .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
