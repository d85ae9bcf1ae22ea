#pragma once
// Lines of nearly any extent: in registers, in shared memory, by fft's four steps, or by a convolution that these make.

#include "custom_kernels/fft/detail/convolution.cuh"
#include "custom_kernels/fft_nd/detail/register_lines.cuh"
#include "custom_kernels/fft_nd/detail/shared_lines.cuh"

namespace tandem {

/// To 2^23, but 11 and 13, and powers of two to 2^24.
inline bool takes_any_lines(std::int64_t n) {
  return takes_shared_lines(n) || takes_four_step(n) || takes_long_convolution(n);
}
/// The depth of such a transform: a line is convolved where it is longer than shared memory holds, or has other factors.
inline double levels_of_any_lines(std::int64_t n) {
  return Fft::is_power_of_two(n) || takes_shared_lines(n) ? Fft::levels(n) : Fft::levels_of_convolution(n);
}
/// The depth of all axes of a grid of n numbers, which is smooth where its axes are.
inline double levels_of_any_axes(std::int64_t n) {
  return Fft::is_power_of_two(n) || takes_shared_lines(n) ? Fft::levels(n) : FftNd::levels_of_convolution(n);
}

/// Transforms the lines of a pass, of an extent that takes_any_lines().
template <class T>
void any_lines(Context& ctx, const Pass<T>& pass) {
  if (takes_register_lines(pass.n))
    register_lines(ctx, pass);
  else if (takes_shared_lines(pass.n))
    shared_lines(ctx, pass);
  else if (takes_four_step(pass.n))
    four_step<T>(ctx, AllLines<T>(pass));
  else
    convolve_rows<T>(ctx, AllLines<T>(pass));
}

}  // namespace tandem
