// cusparseSpMM with its second algorithm for rows, which suits row-major matrices.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places.

#include "vendor_wrappers/spmm/cusparse.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_alg2(const typename C::Args& a, Context& ctx) {
  cusparse_spmm<C>(a, ctx, CUSPARSE_SPMM_CSR_ALG2);
}

REGISTER(Spmm, cusparse_alg2, .note = "cusparseSpMM, CSR_ALG2", .version = cusparse_version(),
         .refuses = spmm_refuses, .loses_digits_on = "denormal", .repeats = false, .deviates = kFlushes)

}  // namespace
}  // namespace tandem
