#pragma once
// cusparseSpMV, for the rows of its algorithms. It wants offsets of 32 bits, like its column numbers, so these are copied
// first.

#include <climits>

#include "lib/core/library_call.h"
#include "lib/ops/spmv/contract.h"
#include "vendor_wrappers/common/cusparse_rows.cuh"

namespace tandem {

template <class C>
void cusparse_spmv(const typename C::Args& a, Context& ctx, cusparseSpMVAlg_t algorithm) {
  using T = typename C::T;
  constexpr cudaDataType kType = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
  auto* const offsets = ctx.scratch<std::int32_t>(a.rows.count + 1);
  copy_offsets(a.rows, offsets, ctx);
  const cusparseHandle_t handle = cusparse(ctx);
  Described<cusparseConstSpMatDescr_t, cusparseDestroySpMat> matrix;
  Described<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> x;
  Described<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> y;
  cusparseDnVecDescr_t to = nullptr;
  check(cusparseCreateConstCsr(&matrix.description, a.rows.count, a.cols, a.elements, offsets, a.columns,
                               a.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                               kType),
        ctx, "cusparseCreateConstCsr");
  check(cusparseCreateConstDnVec(&x.description, a.cols, a.x, kType), ctx, "cusparseCreateConstDnVec");
  check(cusparseCreateDnVec(&to, a.rows.count, a.y, kType), ctx, "cusparseCreateDnVec");
  y.description = to;
  const auto with = [&](auto call, const char* name, auto last) {
    check(call(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &a.alpha, matrix.description, x.description, &a.beta,
               to, kType, algorithm, last),
          ctx, name);
  };
  std::size_t bytes = 0;
  with(cusparseSpMV_bufferSize, "cusparseSpMV_bufferSize", &bytes);
  auto* const buffer = ctx.scratch<std::byte>(std::int64_t(bytes));
  call_library(ctx, [&] { with(cusparseSpMV, "cusparseSpMV", static_cast<void*>(buffer)); });
}

inline std::string cusparse_refuses(const Spmv::Shape& s, CaseId) {
  if (std::max({s.elements, s.rows, s.cols}) >= INT_MAX) return "cuSPARSE counts in 32 bits here";
  return s.elements > s.rows * s.cols ? "cuSPARSE takes no more elements than the matrix has places" : "";
}

constexpr const char* kFlushes = "products and sums of denormal size may be 0";

}  // namespace tandem
