// cusparseSpMV of a matrix in slices.
// Limits:  fewer than 2^31 − 1 rows, columns and stored elements, and no row numbers. It wants offsets of 32 bits, like its column
//          numbers, so these are copied first.

#include "lib/ops/spmv_sell/contract.h"
#include "vendor_wrappers/common/cusparse_vectors.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_sell(const typename C::Args& a, Context& ctx) {
  if (a.stored == 0) return scale_rows(ctx, a);
  const SegmentedReduce::Layout slices{a.offsets, a.slices(), 0, 0, 1};
  Described<cusparseConstSpMatDescr_t, cusparseDestroySpMat> matrix;
  check(cusparseCreateConstSlicedEll(&matrix.description, a.rows, a.cols, a.stored, a.stored, a.slice_rows,
                                     copied_offsets<std::int32_t>(slices, ctx), a.columns, a.values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                     kCudaType<typename C::T>),
        ctx, "cusparseCreateConstSlicedEll");
  multiply_described(ctx, matrix.description, a, a.rows, CUSPARSE_SPMV_SELL_ALG1);
}

std::string refuses(const SpmvSell::Shape& s, CaseId) {
  if (std::max({s.stored, s.rows, s.cols}) >= INT_MAX) return "cuSPARSE counts in 32 bits here";
  if (s.cols == 0 || s.stored == 0) return "cuSPARSE takes no empty matrix in slices";
  return s.reordered ? "cuSPARSE knows no row numbers" : "";
}

REGISTER(SpmvSell, cusparse_sell, .note = "cusparseSpMV, CUSPARSE_SPMV_SELL_ALG1",
         .version = cusparse_version(), .refuses = refuses, .loses_digits_on = "denormal infinity",
         .repeats = false, .deviates = kFlushes)

}  // namespace
}  // namespace tandem
