// cusparseSpMV of a matrix of blocks.
// Limits:  fewer than 2^31 − 1 rows, columns and stored elements; square blocks of two rows or more; sides that are multiples of the
//          blocks'. It wants offsets of 32 bits, like its column numbers, so these are copied first.

#include "lib/ops/spmv_bsr/contract.h"
#include "vendor_wrappers/common/cusparse_vectors.cuh"

namespace tandem {
namespace {

template <class C>
void cusparse_bsr(const typename C::Args& a, Context& ctx) {
  if (a.blocks == 0) return scale_rows(ctx, a);
  Described<cusparseConstSpMatDescr_t, cusparseDestroySpMat> matrix;
  const SegmentedReduce::Layout rows{a.offsets, a.rows_of_blocks(), 0, 0, 1};
  check(cusparseCreateConstBsr(&matrix.description, a.rows_of_blocks(), a.cols / a.block_cols, a.blocks,
                               a.block_rows, a.block_cols, copied_offsets<std::int32_t>(rows, ctx), a.columns,
                               a.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                               kCudaType<typename C::T>, CUSPARSE_ORDER_ROW),
        ctx, "cusparseCreateConstBsr");
  multiply_described(ctx, matrix.description, a, a.rows, CUSPARSE_SPMV_BSR_ALG1);
}

std::string refuses(const SpmvBsr::Shape& s, CaseId) {
  if (std::max({s.scale(), s.rows, s.cols}) >= INT_MAX) return "cuSPARSE counts in 32 bits here";
  if (s.blocks == 0) return "cuSPARSE takes no empty matrix of blocks";
  if (s.block_rows != s.block_cols || s.block_rows == 1)
    return "cuSPARSE takes square blocks of two rows or more";
  return s.rows % s.block_rows != 0 || s.cols % s.block_cols != 0
             ? "cuSPARSE takes sides that are multiples of the blocks'"
             : "";
}

REGISTER(SpmvBsr, cusparse_bsr, .note = "cusparseSpMV, CUSPARSE_SPMV_BSR_ALG1", .version = cusparse_version(),
         .refuses = refuses, .loses_digits_on = "denormal", .repeats = false, .deviates = kFlushes)

}  // namespace
}  // namespace tandem
