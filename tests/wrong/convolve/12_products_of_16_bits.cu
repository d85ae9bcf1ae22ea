// Wrong:   a number's place in the spectra is counted by 16 bits.
// Caught:  more than 32,767 numbers in all.

#include "custom_kernels/fft_nd/detail/any_lines.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

template <class T>
__global__ void multiply_some(Complex<T>* spectra, const Complex<T>* filter, std::int64_t n,
                              std::int64_t batch) {
  const auto i = static_cast<std::int16_t>(std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (i >= 0 && i < n * batch) spectra[i] = spectra[i] * filter[i % n];
}

template <class C>
void products_of_16_bits(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kThreads = 256;
  auto* spectra = ctx.scratch<Complex<T>>(a.n * a.batch);
  const auto transform = [&](const Lines<T>& lines) {
    any_lines(ctx, Pass<T>{lines, {{1, 0, 0}, {1, 0, 0}}});
  };
  transform({a.in, spectra, a.n, a.batch, 1, 1, a.in_distance, a.n, false, 1});
  launch(ctx, ceil_div(a.n * a.batch, kThreads), kThreads, 0, multiply_some<T>, spectra, a.filter, a.n,
         a.batch);
  transform({spectra, a.out, a.n, a.batch, 1, 1, a.n, a.out_distance, true, a.factor});
}

REGISTER(
    Convolve, products_of_16_bits, .note = "wrong on purpose", .depth = Convolve::levels,
    .refuses = [](const Convolve::Shape& s, CaseId) -> std::string {
      return s.n <= 3 ? "" : "short rows only";
    })

}  // namespace
}  // namespace tandem
