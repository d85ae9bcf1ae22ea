#pragma once
// Complex rows by cuFFT.

#include <tuple>

#include "lib/ops/fft/contract.h"
#include "vendor_wrappers/common/cufft.cuh"

namespace tandem {

/// Runs a call of fft but for its factor: cuFFT leaves both directions as they are.
template <class C>
void cufft_rows(const typename C::Args& a, Context& ctx) {
  constexpr bool kSingle = std::is_same_v<typename C::T, float>;
  long long n = a.n;
  const cufftHandle plan = cufft_plan_of(
      ctx, kSingle ? "cufft f32" : "cufft f64", std::tuple(a.n, a.batch, a.in_distance, a.out_distance), 1,
      &n, {&n, 1, a.in_distance}, {&n, 1, a.out_distance}, kSingle ? CUFFT_C2C : CUFFT_Z2Z, a.batch);
  execute_complex(ctx, plan, a.in, a.out, a.inverse);
}

}  // namespace tandem
