#pragma once
// cblas_?gemm with a given number of threads.

#include <cblas.h>

#include "lib/ops/gemm/contract.h"
#include "vendor_wrappers/common/openblas.h"
#include "vendor_wrappers/gemm/operand.h"

namespace tandem {

inline std::string openblas_refuses(const Gemm::Shape& s, CaseId) {
  return fits_int(std::max({s.m, s.n, s.k}), std::max({s.a_gap, s.b_gap, s.c_gap}))
             ? openblas_missing()
             : "OpenBLAS counts in 32 bits here";
}

template <class C>
void openblas_gemm(const typename C::Args& g, int threads) {
  using T = typename C::T;
  const BlasOperand a = blas_operand(g.a, g.k), b = blas_operand(g.b, g.n);
  const auto call = [&](auto function) {
    function(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
             b.transposed ? CblasTrans : CblasNoTrans, static_cast<int>(g.m), static_cast<int>(g.n),
             static_cast<int>(g.k), g.alpha, g.a.data, static_cast<int>(a.ld), g.b.data,
             static_cast<int>(b.ld), g.beta, g.c, static_cast<int>(g.ldc));
  };
  OPENBLAS(openblas_set_num_threads)(threads);
  if constexpr (std::is_same_v<T, float>)
    call(OPENBLAS(cblas_sgemm));
  else
    call(OPENBLAS(cblas_dgemm));
}

}  // namespace tandem
