#pragma once
// real_fft_nd: discrete Fourier transforms of real grids of one to three axes, and back, with a stride for each axis.

#include "tandem/fft_nd.h"

namespace tandem {

namespace detail {
TANDEM_API void real_fft_nd(Context& ctx, Type type, ConstMemory in, Memory out, const Grid& grids,
                            bool inverse, const Options& options);
template <class Real, class Number, class In, class Out>
void real_fft_nd(Context& ctx, const In& in, Out&& out, const Grid& grids, bool inverse,
                 const Options& options) {
  static_assert(std::is_same_v<Real, float> || std::is_same_v<Real, double>,
                "real_fft_nd takes real numbers of float or double");
  static_assert(ComplexNumber<Number>,
                "real_fft_nd: the other side holds complex numbers, such as std::complex<float>");
  if constexpr (ComplexNumber<Number>) {
    static_assert(std::is_same_v<typename Number::value_type, Real>,
                  "real_fft_nd: complex numbers must have parts of the type of the real ones");
  }
  real_fft_nd(ctx, type_of<Real>, const_memory(in), memory(out), grids, inverse, options);
}
}  // namespace detail

/// X[p, q, r] = s · sum of x[j, k, l] e^(−2πi (jp/n0 + kq/n1 + lr/n2)) over all numbers of a real grid of n0 · n1 · n2, or of fewer
/// axes, for r = 0 … n2/2 along the last one, of each grid, in the memory of the context, without waiting for it. The other
/// X[p, q, r] are conj(X[n0−p, n1−q, n2−r]), indices taken modulo the extents, and not stored.
///
/// in: float or double; out: complex numbers of the same. grids.extents: of the real grid; in_strides and in_distance count real
/// numbers, out_strides and out_distance complex ones. out may be in itself where rows along the last axis lie at the same
/// places, as NumPy's and FFTW's users pad them: of the axes but the last, and of the distance between grids, each longer than 1,
/// the real stride is twice the complex one, both last strides are 1, and no two complex numbers meet. Of padded grids give both
/// distances: by itself one leads past the last element. Any other overlap is refused.
/// The error of a grid, in the Euclidean norm of all n numbers, is at most the sum of what real_fft's may be along the last axis
/// and fft's along the others. A grid with a NaN or an infinity has no finite result; the others are as they would be.
/// Otherwise, and as to errors, as fft_nd.
/// Source:  Cooley, Tukey 1965, "An algorithm for the machine calculation of complex Fourier series"; Cooley, Lewis, Welch 1970,
///          "The fast Fourier transform algorithm: programming considerations in the calculation of sine, cosine and Laplace
///          transforms".
template <Viewable In, Viewable Out>
void real_fft_nd(Context& ctx, const In& in, Out&& out, const Grid& grids, const Options& options = {}) {
  detail::real_fft_nd<element_of<In>, element_of<Out>>(ctx, in, out, grids, false, options);
}

/// x[j, k, l] = s · sum of X[p, q, r] e^(+2πi (jp/n0 + kq/n1 + lr/n2)) over all p, q, r of each grid, of which those with r > n2/2
/// are conjugates of others: the real numbers of a grid. s is 1/n, or 1/√n or 1 as grids.scaling says. grids.extents: of the real
/// grid; in_strides and in_distance count complex numbers, out_strides and out_distance real ones.
///
/// The spectrum of a real grid is Hermitian. Nobody checks that: of the planes r = 0 and, for even n2, r = n2/2 the Hermitian part
/// counts, (X[p, q, r] + conj(X[n0−p, n1−q, r]))/2, so that results are the real parts of those of the whole spectrum. Errors are
/// relative to the norm of these, imaginary parts included. In place what of the spectra lies behind rows of real numbers is
/// undefined afterwards. A call of more than one axis that is not in place takes scratch of the size of the spectra.
/// A grid with a NaN or an infinity has such a result, but others of it may be finite; from the imaginary part of a number that is
/// its own conjugate it may or may not get there. Otherwise as real_fft_nd.
template <Viewable In, Viewable Out>
void inverse_real_fft_nd(Context& ctx, const In& in, Out&& out, const Grid& grids,
                         const Options& options = {}) {
  detail::real_fft_nd<element_of<Out>, element_of<In>>(ctx, in, out, grids, true, options);
}

}  // namespace tandem
