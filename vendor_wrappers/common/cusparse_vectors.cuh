#pragma once
// cusparseSpMV of a matrix that is described.

#include "vendor_wrappers/common/cusparse_csr.cuh"

namespace tandem {

/// y = alpha A x + beta y for a call's Args, of `rows` rows. Its workspace comes from the context.
template <class Args>
void multiply_described(Context& ctx, cusparseConstSpMatDescr_t matrix, const Args& a, std::int64_t rows,
                        cusparseSpMVAlg_t algorithm) {
  constexpr cudaDataType kType = kCudaType<std::remove_cvref_t<decltype(*a.x)>>;
  const cusparseHandle_t handle = cusparse(ctx);
  Described<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> x;
  Described<cusparseConstDnVecDescr_t, cusparseDestroyDnVec> y;
  cusparseDnVecDescr_t to = nullptr;
  check(cusparseCreateConstDnVec(&x.description, a.cols, a.x, kType), ctx, "cusparseCreateConstDnVec");
  check(cusparseCreateDnVec(&to, rows, a.y, kType), ctx, "cusparseCreateDnVec");
  y.description = to;
  const auto with = [&](auto call, const char* name, auto last) {
    check(call(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &a.alpha, matrix, x.description, &a.beta, to, kType,
               algorithm, last),
          ctx, name);
  };
  std::size_t bytes = 0;
  with(cusparseSpMV_bufferSize, "cusparseSpMV_bufferSize", &bytes);
  auto* const buffer = ctx.scratch<std::byte>(std::int64_t(bytes));
  call_library(ctx, [&] { with(cusparseSpMV, "cusparseSpMV", static_cast<void*>(buffer)); });
}

namespace detail {
template <class Args>
__global__ void scale_rows(const Args a) {
  const std::int64_t row = std::int64_t(blockIdx.x) * kCopyThreads + threadIdx.x;
  if (row < a.rows) a.store(row, 0);
}
}  // namespace detail

/// y = beta y, for Args with rows and store(): of matrices that are not read.
template <class Args>
void scale_rows(Context& ctx, const Args& a) {
  launch(ctx, ceil_div(a.rows, kCopyThreads), kCopyThreads, 0, detail::scale_rows<Args>, a);
}

}  // namespace tandem
