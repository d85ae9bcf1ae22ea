// cusparseSpMV with its second algorithm for rows, which gives the same bits again.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places.

#include "vendor_wrappers/spmv/cusparse.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_alg2(const typename C::Args& a, Context& ctx) {
  cusparse_spmv<C>(a, ctx, CUSPARSE_SPMV_CSR_ALG2);
}

REGISTER(Spmv, cusparse_alg2, .note = "cusparseSpMV, CSR_ALG2", .version = cusparse_version(),
         .refuses = cusparse_refuses)

}  // namespace
}  // namespace tandem
