// cuFFT; the plan of a shape is made at its first call and kept.
// Limits:  factors take a kernel behind it.

#include "vendor_wrappers/fft/cufft.cuh"

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
  cufft_rows<C>(a, ctx);
  if (a.factor != 1)
    launch(ctx, ceil_div(a.n * a.batch, kThreads), kThreads, 0, multiply_rows<T>, a.out, a.n, a.batch,
           a.out_distance, a.factor);
}

REGISTER(Fft, cufft, .note = "cufftExecC2C, cufftExecZ2Z",
         .version = detail::version("cuFFT", CUFFT_VER_MAJOR, CUFFT_VER_MINOR),
         .depth = Fft::levels_or_convolution)

}  // namespace
}  // namespace tandem
