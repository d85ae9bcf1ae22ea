#pragma once
// real_fft: discrete Fourier transforms of many rows of real numbers, of any length, and back.

#include "tandem/fft.h"

namespace tandem {

namespace detail {
TANDEM_API void real_fft(Context& ctx, Type type, ConstMemory in, Memory out, const Transforms& rows,
                         bool inverse, const Options& options);
template <class Real, class Number, class In, class Out>
void real_fft(Context& ctx, const In& in, Out&& out, const Transforms& rows, bool inverse,
              const Options& options) {
  static_assert(std::is_same_v<Real, float> || std::is_same_v<Real, double>,
                "real_fft takes real numbers of float or double");
  static_assert(ComplexNumber<Number>,
                "real_fft: the other side holds complex numbers, such as std::complex<float>");
  if constexpr (ComplexNumber<Number>) {
    static_assert(std::is_same_v<typename Number::value_type, Real>,
                  "real_fft: complex numbers must have parts of the type of the real ones");
  }
  real_fft(ctx, type_of<Real>, const_memory(in), memory(out), rows, inverse, options);
}
}  // namespace detail

/// X[k] = s · sum of x[j] e^(−2πi jk/n), j = 0 … n−1, for k = 0 … n/2, of each row of n real numbers x, in the memory of the
/// context, without waiting for it. The other X[k] are conj(X[n−k]), and not stored.
///
/// in: float or double; out: complex numbers of the same. rows.in_distance counts real numbers, at least n (0: n), and
/// rows.out_distance complex ones, at least n/2 + 1 (0: n/2 + 1); arrays hold (batch − 1) · distance + a row's numbers at least,
/// and addresses are multiples of the size of an element. n: any number; s is 1, or 1/√n with FftScaling::unitary. out may be
/// the memory of in where both have rows at the same places, in_distance = 2 · out_distance, as NumPy's and FFTW's users pad
/// rows: then X[k] lies where x[2k] and x[2k+1] lay. Any other overlap is refused. Elements between rows stay as they are. n = 0
/// and batch = 0 do nothing.
/// The error of a row, in the Euclidean norm of all n numbers, is at most 4 ε (log2(n) + 1) of its result; for lengths that
/// are computed as convolutions, those with prime factors above 7 and on a GPU long ones that are no powers of two,
/// 4 ε (3 log2(m) + 4), m the power of two from 2n − 1 on; by the definition 4 ε n. What is lost to
/// underflow comes to that. A row with a NaN or an infinity has no finite result; the others are as they would be. O(n log n)
/// work for each row. Roots of unity of a length are made at its first call and kept with the context; later calls of a shape
/// allocate nothing.
/// Throws InvalidArgument (n or batch negative, a distance below a row, an unknown scaling, arrays too small, sizes beyond 2^63
/// bytes, null or misaligned pointers, host memory in a device context, overlap, unknown options.use), Unavailable
/// (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
///          sine, cosine and Laplace transforms", for two real numbers as a complex one.
template <Viewable In, Viewable Out>
void real_fft(Context& ctx, const In& in, Out&& out, const Transforms& rows, const Options& options = {}) {
  detail::real_fft<element_of<In>, element_of<Out>>(ctx, in, out, rows, false, options);
}
/// One transform of all elements of in.
template <Viewable In, Viewable Out>
void real_fft(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  real_fft(ctx, in, out, Transforms{.n = view(in).size}, options);
}

/// x[j] = s · sum of X[k] e^(+2πi jk/n), k = 0 … n−1, of each row, where X[k] of k > n/2 is conj(X[n−k]): n real numbers of
/// n/2 + 1 complex ones. s is 1/n, or 1/√n or 1 as rows.scaling says. rows.n counts the real numbers, for both n and n + 1 may
/// belong to a spectrum; in_distance counts complex numbers and out_distance real ones.
///
/// The imaginary parts of X[0] and, for even n, of X[n/2] are not looked at. In place (out_distance = 2 · in_distance) what of
/// a spectrum lies behind the n real numbers is undefined afterwards. A row with a NaN or an infinity elsewhere has such
/// results, but others of it may be finite. Otherwise as real_fft.
template <Viewable In, Viewable Out>
void inverse_real_fft(Context& ctx, const In& in, Out&& out, const Transforms& rows,
                      const Options& options = {}) {
  detail::real_fft<element_of<Out>, element_of<In>>(ctx, in, out, rows, true, options);
}
/// One transform, of n = the size of out.
template <Viewable In, Viewable Out>
void inverse_real_fft(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  inverse_real_fft(ctx, in, out, Transforms{.n = view(out).size}, options);
}

}  // namespace tandem
