// cusparseSpMM with its third algorithm for rows, which gives the same bits again.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places.

#include "vendor_wrappers/spmm/cusparse.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_alg3(const typename C::Args& a, Context& ctx) {
  cusparse_spmm<C>(a, ctx, CUSPARSE_SPMM_CSR_ALG3);
}

REGISTER(Spmm, cusparse_alg3, .note = "cusparseSpMM, CSR_ALG3", .version = cusparse_version(),
         .refuses = spmm_refuses, .loses_digits_on = "denormal", .deviates = kFlushes)

}  // namespace
}  // namespace tandem
