#pragma once
// cusparseSpMM, for the rows of its algorithms.

#include "lib/ops/spmm/contract.h"
#include "vendor_wrappers/common/cusparse_csr.cuh"

namespace tandem {

/// cuSPARSE wants a leading dimension of at least a line, where there is but one line, too.
template <class T>
std::int64_t leading_dimension(const Strided<T>& m, std::int64_t rows, std::int64_t cols) {
  return m.col == 1 ? std::max(m.row, cols) : std::max(m.col, rows);
}
template <class T>
cusparseOrder_t order(const Strided<T>& m) {
  return m.col == 1 ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
}

template <class C>
void cusparse_spmm(const typename C::Args& a, Context& ctx, cusparseSpMMAlg_t algorithm) {
  constexpr cudaDataType kType = kCudaType<typename C::T>;
  const DescribedCsr matrix(a, ctx);
  const cusparseHandle_t handle = cusparse(ctx);
  Described<cusparseConstDnMatDescr_t, cusparseDestroyDnMat> b;
  Described<cusparseConstDnMatDescr_t, cusparseDestroyDnMat> c;
  cusparseDnMatDescr_t to = nullptr;
  check(cusparseCreateConstDnMat(&b.description, a.cols, a.width, leading_dimension(a.b, a.cols, a.width),
                                 a.b.data, kType, order(a.b)),
        ctx, "cusparseCreateConstDnMat");
  check(cusparseCreateDnMat(&to, a.rows.count, a.width, leading_dimension(a.c, a.rows.count, a.width),
                            a.c.data, kType, order(a.c)),
        ctx, "cusparseCreateDnMat");
  c.description = to;
  const auto with = [&](auto call, const char* name, auto last) {
    check(call(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &a.alpha,
               matrix.description, b.description, &a.beta, to, kType, algorithm, last),
          ctx, name);
  };
  std::size_t bytes = 0;
  with(cusparseSpMM_bufferSize, "cusparseSpMM_bufferSize", &bytes);
  auto* const buffer = ctx.scratch<std::byte>(std::int64_t(bytes));
  call_library(ctx, [&] { with(cusparseSpMM, "cusparseSpMM", static_cast<void*>(buffer)); });
}

/// For .by_name_only. (CSR_ALG2 does not.)
inline constexpr const char* kMultipliesUnnamedRows = "multiplies rows of B that no element names by 0";

inline std::string spmm_refuses(const Spmm::Shape& s, CaseId id) {
  if (s.cols == 0) return "cuSPARSE is given no matrix without columns";
  if (std::max(s.width, std::max(s.b_gap, s.c_gap)) >= INT_MAX) return "cuSPARSE counts in 32 bits here";
  // With 4,227,331 columns it left C as it was, and said nothing.
  if (s.width > (1 << 21)) return "cuSPARSE does not write matrices of millions of columns";
  return cusparse_refuses(s, id);
}

}  // namespace tandem
