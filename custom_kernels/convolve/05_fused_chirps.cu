// Idea:    a block transforms a row there and back, each way by Bluestein's convolution: four transforms of a power of two.
// New:     against fused_mixed, lengths with any prime factors.
// Expect:  the traffic of a copy, and the work of four transforms of twice to four times the length.
// Limits:  up to 2,048 points; errors of six transforms.
// Source:  Bluestein 1970, "A linear filtering approach to the computation of discrete Fourier transform".

#include "custom_kernels/fft/detail/chirped_line.cuh"
#include "lib/ops/convolve/contract.h"

namespace tandem {
namespace {

template <int kHeld, int kFirst, class Args, class T>
__global__ void __launch_bounds__(kLongestLine / 16)
    convolve_fused_chirps(const Args a, const Chirp<T> c, const Complex<T>* roots) {
  const int n = static_cast<int>(c.n);
  const ChirpedRow<kHeld, T> at(c);
  Complex<T> v[kHeld]{};
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int j = at.t + i * at.threads;
    if (j < n && at.row < a.batch) v[i] = a.load(at.row, j);
  }
  transform_chirped_line<kFirst>(v, at.exchange, at.t, c, roots);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int k = at.t + i * at.threads;
    if (k < n) v[i] = a.product(k, v[i]);
  }
  transform_chirped_line<kFirst>(v, at.exchange, at.t, c, roots);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int j = at.t + i * at.threads;
    if (j < n && at.row < a.batch) a.store(at.row, j, v[i]);
  }
}

template <class C>
void fused_chirps(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  launch_chirped_rows<T>(ctx, a, []<int kHeld, int kFirst>() {
    return convolve_fused_chirps<kHeld, kFirst, typename C::Args, T>;
  });
}

std::string refuses(const Convolve::Shape& s, CaseId) {
  return takes_chirped_line(s.n) ? "" : "takes lengths up to 2048";
}

REGISTER(
    Convolve, fused_chirps, .note = "there and back by Bluestein's convolutions, in one launch",
    .depth = Convolve::levels_of_convolution, .refuses = refuses,
    .suits = [](const Convolve::Shape& s) { return !Fft::is_smooth(s.n); })

}  // namespace
}  // namespace tandem
