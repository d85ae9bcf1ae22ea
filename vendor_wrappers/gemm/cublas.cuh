#pragma once
// cublas?gemm in a given math mode.

#include "lib/ops/gemm/contract.h"
#include "vendor_wrappers/common/cublas.cuh"
#include "vendor_wrappers/gemm/operand.h"

namespace tandem {

template <class C>
void cublas_gemm(const typename C::Args& g, Context& ctx, cublasMath_t mode) {
  // Row-major here is column-major there, where the transposed product is Bᵀ · Aᵀ.
  const BlasOperand a = blas_operand(g.a, g.k), b = blas_operand(g.b, g.n);
  const auto call = [&](auto gemm) {
    check(gemm(cublas(ctx, mode), b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
               a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, g.n, g.m, g.k, &g.alpha, g.b.data, b.ld, g.a.data,
               a.ld, &g.beta, g.c, g.ldc),
          ctx, "cublas?gemm");
  };
  if constexpr (std::is_same_v<typename C::T, float>)
    call(cublasSgemm_64);
  else
    call(cublasDgemm_64);
}

}  // namespace tandem
