// needs: openblas
// LAPACK's ?gtsv on one thread.
// Limits:  one core; overwrites the matrix, so each system is copied first.

#include "vendor_wrappers/tridiagonal/openblas.h"

namespace tandem {
namespace {

template <class C>
void openblas_serial(const typename C::Args& a, Context& ctx) {
  gtsv_each<C>(a, ctx, 1);
}

REGISTER(Tridiagonal, openblas_serial, .note = "LAPACK ?gtsv, one thread", .version = kOpenblas,
         .refuses = gtsv_refuses)

}  // namespace
}  // namespace tandem
