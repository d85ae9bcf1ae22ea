#pragma once
// Bluestein's algorithm: with jk = (j² + k² − (k−j)²)/2 a transform of any length is a convolution with a chirp,
// c[j] = e^(−πi j²/n), and this one is made by transforms of a power of two.

#include <algorithm>

#include "custom_kernels/fft/detail/roots.h"
#include "custom_kernels/fft/detail/stockham.h"

namespace tandem {

/// What transforms of a length by convolution need, in the memory of a context. m: Fft::convolution_size(n).
template <class T>
struct Chirp {
  std::int64_t n, m;
  const Complex<T>* chirp;     // c[j], n numbers
  const Complex<T>* spectrum;  // the transform of conj(c[|j|]) of period m, divided by m
  const Complex<T>* roots;     // of m
};

template <class T>
std::vector<Complex<T>> make_chirp(std::int64_t n) {
  std::vector<Complex<T>> all(static_cast<std::size_t>(n));
  std::int64_t square = 0;  // j² mod 2n
  for (std::int64_t j = 0; j < n; ++j) {
    all[static_cast<std::size_t>(j)] = root<T>(square, 2 * n);
    square = (square + 2 * j + 1) % (2 * n);
  }
  return all;
}

template <class T>
std::vector<Complex<T>> make_spectrum(std::int64_t n, std::int64_t m) {
  using Wide = WideReal<T>;
  const std::vector<Complex<Wide>> chirp = make_chirp<Wide>(n), roots = make_roots<Wide>(m);
  std::vector<Complex<Wide>> x(static_cast<std::size_t>(m)), work(x.size());
  for (std::size_t j = 0; j < chirp.size(); ++j) {
    const Complex<Wide> conjugate{chirp[j].re, -chirp[j].im};
    x[j] = conjugate;
    if (j > 0) x[x.size() - j] = conjugate;
  }
  const Complex<Wide>* result = stockham(x.data(), work.data(), m, roots.data());
  std::vector<Complex<T>> spectrum(x.size());
  std::transform(result, result + m, spectrum.begin(), [&](const Complex<Wide>& s) {
    return Complex<T>{static_cast<T>(s.re / static_cast<Wide>(m)),
                      static_cast<T>(s.im / static_cast<Wide>(m))};
  });
  return spectrum;
}

template <class T>
Chirp<T> chirp_of(Context& ctx, std::int64_t n) {
  const std::int64_t m = Fft::convolution_size(n);
  return {n, m, kept_constants<T>(ctx, "chirp", n, [n] { return make_chirp<T>(n); }),
          kept_constants<T>(ctx, "spectrum", n, [n, m] { return make_spectrum<T>(n, m); }), roots<T>(ctx, m)};
}

}  // namespace tandem
