// cusparseSpMV, with the algorithm that it chooses.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places.

#include "vendor_wrappers/spmv/cusparse.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse(const typename C::Args& a, Context& ctx) {
  cusparse_spmv<C>(a, ctx, CUSPARSE_SPMV_ALG_DEFAULT);
}

REGISTER(Spmv, cusparse, .note = "cusparseSpMV", .version = cusparse_version(), .refuses = cusparse_refuses,
         .loses_digits_on = "denormal", .repeats = false, .deviates = kFlushes)

}  // namespace
}  // namespace tandem
