// cusparseSpMM, with the algorithm that it chooses.
// Limits:  fewer than 2^31 − 1 rows, columns and elements, and no more elements than places.

#include "vendor_wrappers/spmm/cusparse.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse(const typename C::Args& a, Context& ctx) {
  cusparse_spmm<C>(a, ctx, CUSPARSE_SPMM_ALG_DEFAULT);
}

REGISTER(Spmm, cusparse, .note = "cusparseSpMM", .version = cusparse_version(), .refuses = spmm_refuses,
         .loses_digits_on = "denormal infinity wide unnamed_rows", .repeats = false,
         .by_name_only = kMultipliesUnnamedRows,
         .deviates =
             "products and sums of denormal size may be 0; NaN in place of infinities, and where a NaN is in "
             "a row of B that no element names")

}  // namespace
}  // namespace tandem
