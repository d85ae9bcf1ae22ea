// cuFFT; the plan of a shape is made at its first call and kept.
// Limits:  factors take a kernel behind it.

#include <tuple>

#include "lib/ops/fft/contract.h"
#include "vendor_wrappers/common/cufft.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void multiply_rows(Complex<T>* rows, std::int64_t n, std::int64_t batch, std::int64_t distance,
                              T factor) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n * batch) return;
  Complex<T>& x = rows[i / n * distance + i % n];
  x = factor * x;
}

template <class C>
void cufft(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr bool kSingle = std::is_same_v<T, float>;
  long long n = a.n;
  const cufftHandle plan = cufft_plan_of(
      ctx, kSingle ? "cufft f32" : "cufft f64", std::tuple(a.n, a.batch, a.in_distance, a.out_distance), 1,
      &n, {&n, 1, a.in_distance}, {&n, 1, a.out_distance}, kSingle ? CUFFT_C2C : CUFFT_Z2Z, a.batch);
  execute_complex(ctx, plan, a.in, a.out, a.inverse);
  if (a.factor != 1)  // cuFFT leaves both directions as they are
    launch(ctx, ceil_div(a.n * a.batch, kThreads), kThreads, 0, multiply_rows<T>, a.out, a.n, a.batch,
           a.out_distance, a.factor);
}

REGISTER(Fft, cufft, .note = "cufftExecC2C, cufftExecZ2Z",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
