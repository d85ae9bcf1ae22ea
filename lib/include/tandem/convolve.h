#pragma once
// convolve: many rows of complex numbers, each convolved circularly with one filter, by Fourier transforms of any length.

#include "tandem/fft.h"

namespace tandem {

namespace detail {
TANDEM_API void convolve(Context& ctx, Type type, ConstMemory in, ConstMemory filter, Memory out,
                         const Transforms& rows, const Options& options);
}  // namespace detail

/// y[j] = s · sum of X[k] h[k] e^(+2πi jk/n), k = 0 … n−1, with X[k] = sum of x[j] e^(−2πi jk/n), j = 0 … n−1, of each row x of
/// in, in the memory of the context, without waiting for it. s is 1/n, and 1 with FftScaling::none: what fft, a product and
/// inverse_fft with the same rows.scaling give, FftScaling::unitary like the default.
///
/// filter: h, n complex numbers, the same for all rows: the spectrum of the filter as fft gives it. With g = inverse_fft(h),
/// y[j] = sum of g[i] x[(j − i) mod n]; for one that does not wrap around, rows and g are followed by zeros.
/// in, out: as of fft, float or double, and so are rows' distances; out may be in itself, with the same distance. Any other
/// overlap of out with in, and any with filter, is refused. Elements between rows stay as they are. n = 0 and batch = 0 do
/// nothing.
/// The error of a row, in the Euclidean norm, is at most 4 ε (2 log2(n) + 1) · max |h| · ‖x‖, n s times that, since both
/// transforms' errors and that of the product add up and the filter multiplies none by more than max |h|. For lengths that a path
/// computes by convolutions of m numbers, m the power of two from 2n − 1 on, 4 ε (6 log2(m) + 7) stands for 4 ε (2 log2(n) + 1): most
/// do for prime factors above 7, and on a GPU for lengths beyond 4,096 that are no powers of two. What is lost to underflow
/// comes to that. A row with a NaN or an infinity has no finite result, and the others are as they would be; a NaN or an
/// infinity in the filter leaves none in any row. O(n log n) work for each row. Roots of unity of a length are made at its first
/// call and kept with the context; later calls of a shape allocate nothing.
/// Throws InvalidArgument (n or batch negative, a distance below n, an unknown scaling, arrays too small, sizes beyond 2^63
/// bytes, null or misaligned pointers, host memory in a device context, overlap, unknown options.use), Unavailable
/// (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Stockham 1966, "High-speed convolution and correlation".
template <Viewable In, Viewable Filter, Viewable Out>
void convolve(Context& ctx, const In& in, const Filter& filter, Out&& out, const Transforms& rows,
              const Options& options = {}) {
  using C = element_of<In>;
  static_assert(std::is_same_v<C, element_of<Filter>> && std::is_same_v<C, element_of<Out>>,
                "convolve: filter and out must hold the type of in");
  static_assert(detail::ComplexNumber<C>,
                "convolve takes complex numbers of float or double, such as std::complex<float>");
  detail::convolve(ctx, type_of<typename C::value_type>, detail::const_memory(in),
                   detail::const_memory(filter), detail::memory(out), rows, options);
}
/// One row of all elements.
template <Viewable In, Viewable Filter, Viewable Out>
void convolve(Context& ctx, const In& in, const Filter& filter, Out&& out, const Options& options = {}) {
  convolve(ctx, in, filter, out, Transforms{.n = view(in).size}, options);
}

}  // namespace tandem
