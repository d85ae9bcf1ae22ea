#pragma once
// fft: discrete Fourier transforms of many rows of complex numbers, of any length, forward and inverse.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/types.h"

namespace tandem {

/// What results are multiplied by.
enum class FftScaling : std::uint8_t {
  inverse,  // of inverse_fft by 1/n, so that it undoes fft
  unitary,  // of both by 1/√n: lengths stay, and each undoes the other
  none,     // of neither: inverse_fft(fft(x)) is n x
};

/// Transforms of one length: row r is in[r · in_distance + j], j = 0 … n−1, and so in out.
struct Transforms {
  std::int64_t n;
  std::int64_t batch = 1;                          // rows
  std::int64_t in_distance = 0, out_distance = 0;  // in elements, at least n; 0: n
  FftScaling scaling = FftScaling::inverse;
};

namespace detail {
/// std::complex, or a type like it: thrust::complex, cuda::std::complex. <complex> itself would double what a program reads.
template <class C>
concept ComplexNumber = std::is_trivially_copyable_v<C> && requires(const C& z) {
  requires std::same_as<typename C::value_type, float> || std::same_as<typename C::value_type, double>;
  requires sizeof(C) == 2 * sizeof(typename C::value_type);
  z.real();
  z.imag();
};
TANDEM_API void fft(Context& ctx, Type type, ConstMemory in, Memory out, const Transforms& rows, bool inverse,
                    const Options& options);
template <class In, class Out>
void fft(Context& ctx, const In& in, Out&& out, const Transforms& rows, bool inverse,
         const Options& options) {
  using C = element_of<In>;
  static_assert(std::is_same_v<C, element_of<Out>>, "fft: out must hold the type of in");
  static_assert(ComplexNumber<C>,
                "fft takes complex numbers of float or double, such as std::complex<float>");
  fft(ctx, type_of<typename C::value_type>, const_memory(in), memory(out), rows, inverse, options);
}
}  // namespace detail

/// X[k] = s · sum of x[j] e^(−2πi jk/n), j = 0 … n−1, of each row, in the memory of the context, without waiting for it.
///
/// in, out: complex numbers of float or double, such as std::complex<float>, (batch − 1) · distance + n elements at least, their
/// addresses multiples of the size of one. n: any number; s is 1, or 1/√n with FftScaling::unitary. out may be in itself, with
/// the same distance; any other overlap is refused. Elements between rows stay as they are. n = 0 and batch = 0 do nothing.
/// The error of a row, in the Euclidean norm, is at most 4 ε log2(n) of its result; for lengths that a path computes as
/// convolutions of m numbers, m the power of two from 2n − 1 on, 12 ε (log2(m) + 1): most do for prime factors above 7,
/// and on a GPU for long ones that are no powers of two; by the definition, which the choice takes for 16 points or less, 4 ε n. What is lost to underflow comes to that. A row with
/// a NaN or an infinity has no finite result; the others are as they would be. O(n log n) work for each row. Roots of unity
/// of a length are made at its first call and kept with the context; later calls of a shape allocate nothing.
/// Throws InvalidArgument (n or batch negative, a distance below n, an unknown scaling, arrays too small, sizes beyond 2^63
/// bytes, null or misaligned pointers, host memory in a device context, overlap, unknown options.use), Unavailable
/// (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Cooley, Tukey 1965, "An algorithm for the machine calculation of complex Fourier series"; Bluestein 1970, "A
///          linear filtering approach to the computation of discrete Fourier transform".
template <Viewable In, Viewable Out>
void fft(Context& ctx, const In& in, Out&& out, const Transforms& rows, const Options& options = {}) {
  detail::fft(ctx, in, out, rows, false, options);
}
/// One transform of all elements.
template <Viewable In, Viewable Out>
void fft(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  detail::fft(ctx, in, out, {.n = view(in).size}, false, options);
}

/// x[j] = s · sum of X[k] e^(+2πi jk/n), k = 0 … n−1, of each row; s is 1/n, or 1/√n or 1 as rows.scaling says. Otherwise as
/// fft.
template <Viewable In, Viewable Out>
void inverse_fft(Context& ctx, const In& in, Out&& out, const Transforms& rows, const Options& options = {}) {
  detail::fft(ctx, in, out, rows, true, options);
}
/// One transform of all elements.
template <Viewable In, Viewable Out>
void inverse_fft(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  detail::fft(ctx, in, out, {.n = view(in).size}, true, options);
}

}  // namespace tandem
