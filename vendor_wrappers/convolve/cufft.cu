// cuFFT there, a kernel that multiplies by the filter and the factor, and cuFFT back, in the memory of the results; plans are
// made at the first call of a shape and kept.
// Limits:  three kernels at least.

#include "lib/ops/convolve/contract.h"
#include "vendor_wrappers/fft/cufft.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Args>
__global__ void multiply(const Args a) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= a.n * a.batch) return;
  const std::int64_t k = i % a.n;
  auto& x = a.out[i / a.n * a.out_distance + k];
  x = a.factor * (x * a.filter[k]);
}

template <class C>
void cufft(const typename C::Args& a, Context& ctx) {
  using Transform = Fft::Case<typename C::T>;
  cufft_rows<Transform>({a.in, a.out, a.n, a.batch, a.in_distance, a.out_distance, false, 1}, ctx);
  launch(ctx, ceil_div(a.n * a.batch, kThreads), kThreads, 0, multiply<typename C::Args>, a);
  cufft_rows<Transform>({a.out, a.out, a.n, a.batch, a.out_distance, a.out_distance, true, 1}, ctx);
}

REGISTER(Convolve, cufft, .note = "cufftExecC2C or Z2Z, a kernel that multiplies, and back",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = Convolve::levels_or_convolution)

}  // namespace
}  // namespace tandem
