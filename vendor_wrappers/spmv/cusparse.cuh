#pragma once
// cusparseSpMV, for the rows of its algorithms.

#include "lib/ops/spmv/contract.h"
#include "vendor_wrappers/common/cusparse_csr.cuh"

namespace tandem {

template <class C>
void cusparse_spmv(const typename C::Args& a, Context& ctx, cusparseSpMVAlg_t algorithm) {
  constexpr cudaDataType kType = kCudaType<typename C::T>;
  const DescribedCsr matrix(a, ctx);
  const cusparseHandle_t handle = cusparse(ctx);
  Described<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> x;
  Described<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> y;
  cusparseDnVecDescr_t to = nullptr;
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

}  // namespace tandem
