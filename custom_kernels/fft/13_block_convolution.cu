// Idea:    both transforms of Bluestein's convolution by one block, one after the other, without leaving its registers and
//          shared memory.
// New:     against long_convolution, one launch that reads and writes rows alone.
// Expect:  the traffic of a copy, and the work of two transforms of twice to four times the length.
// Limits:  up to 2,048 points. About five times the time of a power of two next to it; errors of three transforms.
// Source:  Bluestein 1970, "A linear filtering approach to the computation of discrete Fourier transform".

#include <algorithm>

#include "custom_kernels/fft/detail/line.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {
namespace {

constexpr int kThreads = 128;  // of a block, where rows are short

template <int kHeld, int kFirst, class Args, class T>
__global__ void __launch_bounds__(kLongestLine / 16)
    fft_block_convolution(const Args a, const Chirp<T> c, const Complex<T>* roots) {
  const int n = static_cast<int>(c.n), m = static_cast<int>(c.m), threads = m / kHeld;
  const int line = static_cast<int>(threadIdx.x) / threads, t = static_cast<int>(threadIdx.x) % threads;
  const int lines = static_cast<int>(blockDim.x) / threads;
  const std::int64_t row = std::int64_t{blockIdx.x} * lines + line;
  const SharedPart<T> exchange{line * line_size<T>(m)};
  Complex<T> v[kHeld]{};
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int j = t + i * threads;
    if (j < n && row < a.batch) v[i] = a.load(row, j) * c.chirp[j];
  }
  transform_line<kFirst>(v, exchange, t, m, roots);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) v[i] = swapped(v[i] * c.spectrum[t + i * threads]);
  transform_line<kFirst>(v, exchange, t, m, roots);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int k = t + i * threads;
    if (k < n && row < a.batch) a.store(row, k, swapped(v[i]) * c.chirp[k]);
  }
}

template <class C>
void block_convolution(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const Chirp<T> c = chirp_of<T>(ctx, a.n);
  const int m = static_cast<int>(c.m), held = held_of(m), threads = m / held;
  const int lines = std::max(kThreads / threads, 1);
  with_line(c.m, [&]<int kHeld, int kFirst>() {
    launch(ctx, ceil_div(a.batch, lines), threads * lines,
           static_cast<std::size_t>(lines * line_size<T>(m)) * sizeof(Complex<T>),
           fft_block_convolution<kHeld, kFirst, typename C::Args, T>, a, c, line_roots<T>(ctx, m, held));
  });
}

std::string refuses(const Fft::Shape& s, CaseId) {
  return Fft::convolution_size(s.n) <= kLongestLine ? "" : "takes lengths up to 2048";
}

REGISTER(
    Fft, block_convolution, .note = "any length as a convolution, in one kernel",
    .depth = Fft::levels_of_convolution, .refuses = refuses,
    .suits = [](const Fft::Shape& s) { return !Fft::is_smooth(s.n); })

}  // namespace
}  // namespace tandem
