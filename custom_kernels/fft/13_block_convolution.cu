// Idea:    both transforms of Bluestein's convolution by one block, one after the other, without leaving its registers and
//          shared memory. The code is in detail/chirped_line.cuh, since other operations have use for it.
// New:     against long_convolution, one launch that reads and writes rows alone.
// Expect:  the traffic of a copy, and the work of two transforms of twice to four times the length.
// Limits:  up to 2,048 points. About five times the time of a power of two next to it; errors of three transforms.
// Source:  Bluestein 1970, "A linear filtering approach to the computation of discrete Fourier transform".

#include "custom_kernels/fft/detail/chirped_line.cuh"

namespace tandem {
namespace {

template <int kHeld, int kFirst, class Args, class T>
__global__ void __launch_bounds__(kLongestLine / 16)
    fft_block_convolution(const Args a, const Chirp<T> c, const Complex<T>* roots) {
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
    if (k < n && at.row < a.batch) a.store(at.row, k, v[i]);
  }
}

template <class C>
void block_convolution(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  launch_chirped_rows<T>(ctx, a, []<int kHeld, int kFirst>() {
    return fft_block_convolution<kHeld, kFirst, typename C::Args, T>;
  });
}

std::string refuses(const Fft::Shape& s, CaseId) {
  return takes_chirped_line(s.n) ? "" : "takes lengths up to 2048";
}

REGISTER(
    Fft, block_convolution, .note = "any length as a convolution, in one kernel",
    .depth = Fft::levels_of_convolution, .refuses = refuses,
    .suits = [](const Fft::Shape& s) { return !Fft::is_smooth(s.n); })

}  // namespace
}  // namespace tandem
