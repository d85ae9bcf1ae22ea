// needs: openblas
// OpenBLAS on all cores.
// Limits:  counts in 32 bits.

#include "vendor_wrappers/gemm/openblas.h"

namespace tandem {
namespace {

template <class C>
requires Gemm::wide<C>
void openblas(const typename C::Args& g, Context&) {
  openblas_gemm<C>(g, OPENBLAS(openblas_get_num_procs)());
}

REGISTER(Gemm, openblas, .note = "cblas_?gemm, all threads", .version = kOpenblas,
         .refuses = openblas_refuses)

}  // namespace
}  // namespace tandem
