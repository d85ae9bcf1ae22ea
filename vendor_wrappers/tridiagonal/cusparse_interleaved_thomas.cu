// gtsvInterleavedBatch, algorithm 0: Thomas. It overwrites the matrix, so all of it is copied first.
// Limits:  systems of one length; never exchanges rows; other layouts than interleaved are copied.

#include "vendor_wrappers/tridiagonal/cusparse_interleaved.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_interleaved_thomas(const typename C::Args& a, Context& ctx) {
  gtsv_interleaved<C>(a, ctx, 0);
}

REGISTER(
    Tridiagonal, cusparse_interleaved_thomas, .note = "gtsvInterleavedBatch, Thomas",
    .version = cusparse_version(),
    .refuses = [](const Tridiagonal::Shape& s, CaseId) { return cusparse_refuses(s, false); },
    .suits =
        [](const Tridiagonal::Shape& s) {
          return is_interleaved(s.systems) && Tridiagonal::suits_threads(s);
        },
    .deviates = "does not report singular systems")

}  // namespace
}  // namespace tandem
