// needs: openblas
// OpenBLAS on one core.
// Limits:  one core; counts in 32 bits.

#include "vendor_wrappers/gemm/openblas.h"

namespace tandem {
namespace {

template <class C>
requires Gemm::wide<C>
void openblas_serial(const typename C::Args& g, Context&) { openblas_gemm<C>(g, 1); }

REGISTER(Gemm, openblas_serial, .note = "cblas_?gemm, one thread", .version = kOpenblas,
         .refuses = openblas_refuses)

}  // namespace
}  // namespace tandem
