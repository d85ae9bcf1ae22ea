// Idea:    rows that no block holds: fft's four steps, or its convolutions by them, load pairs and store Z in the place of X,
//          and a kernel behind them splits it there, a thread for two results. Back the split is a part of the load.
// New:     against shared, long rows, and lengths with any prime factors.
// Expect:  fft's four_step at half the length, and forward one more read and write.
// Limits:  half of an even length, or an odd one, is a power of two from 64 to 2^24 or any number from 17 to 2^23. Three arrays
//          of scratch of the convolution's length where it is no power of two; columns are read in pieces.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory"; Bluestein 1970, "A linear filtering approach to the
//          computation of discrete Fourier transform".

#include "custom_kernels/fft/detail/convolution.cuh"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class Way>
__global__ void real_fft_split(const Way way) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, pairs = way.pairs();
  if (i < pairs * way.batch) way.split(i / pairs, i % pairs, way.a.spectrum(i / pairs));
}

template <class C, class Way>
void transform(const Way& way, Context& ctx) {
  if (takes_four_step(way.n))
    four_step<typename C::T>(ctx, way);
  else
    convolve_rows<typename C::T>(ctx, way);
}

template <class C>
void long_rows(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Packed = PackedWay<typename C::Args>;
  if (a.n % 2 != 0) return transform<C>(PlainWay(a), ctx);
  const Packed way(a, roots<T>(ctx, a.n));
  transform<C>(way, ctx);
  if (way.splits())
    launch(ctx, ceil_div(way.pairs() * a.batch, kThreads), kThreads, 0, real_fft_split<Packed>, way);
}

std::string refuses(const RealFft::Shape& s, CaseId) {
  return s.n == 0 || takes_four_step(complex_length(s.n)) || takes_long_convolution(complex_length(s.n))
             ? ""
             : "takes odd lengths from 17 to 2^23, even ones from 34 to 2^24, and powers of two to 2^25";
}

/// Of what is transformed, a length that is no power of two is convolved.
double depth(std::int64_t n) {
  return 1 + (Fft::is_power_of_two(complex_length(n)) ? Fft::levels(n) : Fft::levels_of_convolution(n));
}

REGISTER(
    RealFft, long_rows, .note = "pairs by the four steps or a convolution, split in place behind them",
    .depth = depth, .refuses = refuses, .suits = [](const RealFft::Shape& s) {
      return complex_length(s.n) > kLongestLine || !Fft::is_smooth(complex_length(s.n));
    })

}  // namespace
}  // namespace tandem
