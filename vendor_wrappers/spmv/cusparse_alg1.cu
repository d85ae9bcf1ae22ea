// cusparseSpMV with its first algorithm for rows.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places.

#include "vendor_wrappers/spmv/cusparse.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_alg1(const typename C::Args& a, Context& ctx) {
  cusparse_spmv<C>(a, ctx, CUSPARSE_SPMV_CSR_ALG1);
}

REGISTER(Spmv, cusparse_alg1, .note = "cusparseSpMV, CSR_ALG1", .version = cusparse_version(),
         .refuses = cusparse_refuses, .loses_digits_on = "denormal", .repeats = false, .deviates = kFlushes)

}  // namespace
}  // namespace tandem
