#pragma once
// Real rows of nearly any length, by fft's four steps or by convolutions that these make.

#include "custom_kernels/fft/detail/convolution.cuh"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {

/// Half of an even length, or an odd one: a power of two from 64 to 2^24, or any number from 17 to 2^23.
inline bool takes_long_rows(std::int64_t n) {
  return takes_four_step(complex_length(n)) || takes_long_convolution(complex_length(n));
}
/// The depth: of what is transformed, a length that is no power of two is convolved.
inline double levels_of_long_rows(std::int64_t n) {
  return 1 + (Fft::is_power_of_two(complex_length(n)) ? Fft::levels(n) : Fft::levels_of_convolution(n));
}

namespace detail {
template <class Way>
__global__ void real_fft_split(const Way way) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, pairs = way.pairs();
  if (i < pairs * way.batch) way.split(i / pairs, i % pairs, way.a.spectrum(i / pairs));
}

template <class Way, class T = decltype(Way::a.factor)>
void transform_long_rows(Context& ctx, const Way& way) {
  if (takes_four_step(way.n))
    four_step<T>(ctx, way);
  else
    convolve_rows<T>(ctx, way);
}
}  // namespace detail

/// Transforms rows of a length that takes_long_rows(); a: real_fft's arguments, or what has their functions.
template <class Args, class T = decltype(Args::factor)>
void long_rows(Context& ctx, const Args& a) {
  constexpr int kThreads = 256;
  if (a.n % 2 != 0) return detail::transform_long_rows(ctx, PlainWay(a));
  const PackedWay way(a, roots<T>(ctx, a.n));
  detail::transform_long_rows(ctx, way);
  if (way.splits())
    launch(ctx, ceil_div(way.pairs() * a.batch, kThreads), kThreads, 0,
           detail::real_fft_split<PackedWay<Args>>, way);
}

}  // namespace tandem
