// needs: openblas
// LAPACK's ?gtsv on all threads.
// Limits:  overwrites the matrix, so each system is copied first.

#include "vendor_wrappers/tridiagonal/openblas.h"

namespace tandem {
namespace {

template <class C>
void openblas(const typename C::Args& a, Context& ctx) {
  gtsv_each<C>(a, ctx, most_workers());
}

REGISTER(Tridiagonal, openblas, .note = "LAPACK ?gtsv, all threads", .version = kOpenblas,
         .refuses = gtsv_refuses)

}  // namespace
}  // namespace tandem
