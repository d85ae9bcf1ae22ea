// cusparseSpMM with its first algorithm for rows, which suits column-major matrices.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places.

#include "vendor_wrappers/spmm/cusparse.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_alg1(const typename C::Args& a, Context& ctx) {
  cusparse_spmm<C>(a, ctx, CUSPARSE_SPMM_CSR_ALG1);
}

REGISTER(Spmm, cusparse_alg1, .note = "cusparseSpMM, CSR_ALG1", .version = cusparse_version(),
         .refuses = spmm_refuses, .loses_digits_on = "denormal infinity wide unnamed_rows", .repeats = false,
         .by_name_only = kMultipliesUnnamedRows,
         .deviates =
             "products and sums of denormal size may be 0; NaN in place of infinities, and where a NaN is in "
             "a row of B that no element names")

}  // namespace
}  // namespace tandem
