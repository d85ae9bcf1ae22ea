#pragma once
// cublas?gemm, or cublasGemmEx where elements have 16 bits, in a given math mode.

#include "lib/ops/gemm/contract.h"
#include "vendor_wrappers/common/cublas.cuh"
#include "vendor_wrappers/gemm/operand.h"

namespace tandem {

/// cuBLAS's name of an element type.
template <class T>
inline constexpr cudaDataType_t cublas_type = std::is_same_v<T, half>       ? CUDA_R_16F
                                              : std::is_same_v<T, bfloat16> ? CUDA_R_16BF
                                              : std::is_same_v<T, float>    ? CUDA_R_32F
                                                                            : CUDA_R_64F;

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
  else if constexpr (std::is_same_v<typename C::T, double>)
    call(cublasDgemm_64);
  else
    call([type = cublas_type<typename C::T>](
             cublasHandle_t handle, cublasOperation_t op_b, cublasOperation_t op_a, std::int64_t n,
             std::int64_t m, std::int64_t k, const float* alpha, const void* b, std::int64_t ldb,
             const void* a, std::int64_t lda, const float* beta, void* c, std::int64_t ldc) {
      return cublasGemmEx_64(handle, op_b, op_a, n, m, k, alpha, b, type, ldb, a, type, lda, beta, c, type,
                             ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    });
}

}  // namespace tandem
