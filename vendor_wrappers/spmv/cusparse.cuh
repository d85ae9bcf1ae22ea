#pragma once
// cusparseSpMV, for the rows of its algorithms.

#include "lib/ops/spmv/contract.h"
#include "vendor_wrappers/common/cusparse_vectors.cuh"

namespace tandem {

template <class C>
void cusparse_spmv(const typename C::Args& a, Context& ctx, cusparseSpMVAlg_t algorithm) {
  const DescribedCsr matrix(a, ctx);
  multiply_described(ctx, matrix.description, a, a.rows.count, algorithm);
}

}  // namespace tandem
