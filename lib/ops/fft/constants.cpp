#include "lib/ops/fft/constants.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tandem/array.h"

namespace tandem {
namespace {

template <class T>
using Numbers = std::vector<Complex<T>>;
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// e^(−2πi k/n), 0 ≤ k < n: by the angle to the nearest axis, so that sine and cosine are computed up to 45° alone.
template <class T>
Complex<T> root(std::int64_t k, std::int64_t n) {
  using W = Wide<T>;
  const std::int64_t octant = 8 * k / n, rest = 8 * k % n;
  const W angle =
      std::numbers::pi_v<W> / 4 * static_cast<W>(octant % 2 ? n - rest : rest) / static_cast<W>(n);
  const T c = static_cast<T>(std::cos(angle)), s = static_cast<T>(std::sin(angle));
  const bool across = (octant + 1) / 2 % 2;  // nearer to the imaginary axis
  const T re = across ? s : c, im = across ? c : s;
  return {octant >= 2 && octant < 6 ? -re : re, octant < 4 ? -im : im};
}

template <class T>
Numbers<T> make_roots(std::int64_t n, std::int64_t count, std::int64_t step = 1) {
  Numbers<T> first(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) first[static_cast<std::size_t>(k)] = root<T>(step * k, n);
  return first;
}

template <class T>
Numbers<T> make_pass_roots(std::span<const int> radices) {
  Numbers<T> all;
  std::int64_t stride = 1;
  for (const int radix : radices) {
    for (std::int64_t power = 1; power < radix && stride > 1; power *= 2) {
      for (std::int64_t k = 0; k < stride; ++k) all.push_back(root<T>(power * k, stride * radix));
    }
    stride *= radix;
  }
  return all;
}

/// The parts stand where constants.h says, two to a number.
template <class T>
Numbers<T> make_matrix_roots(std::int64_t n1, std::int64_t n2, std::int64_t together) {
  std::vector<T> parts;
  parts.reserve(static_cast<std::size_t>(2 * n1 * n2));
  for (std::int64_t first = 0; first < n2; first += together) {
    for (std::int64_t k = 0; k < n1; ++k) {
      for (const bool imaginary : {false, true}) {
        for (std::int64_t c = first; c < first + together; ++c) {
          const Complex<T> w = root<T>(k * c % (n1 * n2), n1 * n2);
          parts.push_back(imaginary ? w.im : w.re);
        }
      }
    }
  }
  Numbers<T> all;
  for (std::size_t i = 0; i < parts.size(); i += 2) all.push_back({parts[i], parts[i + 1]});
  return all;
}

template <class T>
Numbers<T> make_chirp(std::int64_t n) {
  Numbers<T> all(static_cast<std::size_t>(n));
  std::int64_t square = 0;  // j² mod 2n
  for (std::int64_t j = 0; j < n; ++j) {
    all[static_cast<std::size_t>(j)] = root<T>(square, 2 * n);
    square = (square + 2 * j + 1) % (2 * n);
  }
  return all;
}

/// The transform of a power of two of numbers: Stockham's passes of radix 2.
template <class T>
Numbers<T> transformed(Numbers<T> x) {
  const std::size_t half = x.size() / 2;
  const Numbers<T> w = make_roots<T>(static_cast<std::int64_t>(x.size()), static_cast<std::int64_t>(half));
  Numbers<T> next(x.size());
  for (std::size_t stride = 1; stride <= half; stride *= 2) {
    for (std::size_t j = 0; j < half; ++j) {
      const std::size_t k = j % stride, at = 2 * (j - k) + k;
      const Complex<T> turned = x[j + half] * w[k * (half / stride)];
      next[at] = x[j] + turned, next[at + stride] = x[j] - turned;
    }
    x.swap(next);
  }
  return x;
}

template <class T>
Numbers<T> make_spectrum(std::int64_t n, std::int64_t m) {
  using W = Wide<T>;
  const Numbers<W> chirp = make_chirp<W>(n);
  Numbers<W> x(static_cast<std::size_t>(m));
  for (std::size_t j = 0; j < chirp.size(); ++j) {
    x[j] = {chirp[j].re, -chirp[j].im};
    if (j > 0) x[x.size() - j] = x[j];
  }
  Numbers<T> spectrum;
  spectrum.reserve(x.size());
  for (const Complex<W>& s : transformed(x)) {
    spectrum.push_back({static_cast<T>(s.re / static_cast<W>(m)), static_cast<T>(s.im / static_cast<W>(m))});
  }
  return spectrum;
}

/// `what` tells constants of one length apart.
template <class T, class Make>
const Complex<T>* kept(Context& ctx, const char* what, std::int64_t n, Make make) {
  const std::string key =
      std::string("fft ") + what + std::string(TypeTraits<T>::name) + ' ' + std::to_string(n);
  return ctx.keep<Array<Complex<T>>>(key, [&] { return Array<Complex<T>>(ctx, make()); }).data();
}

}  // namespace

template <class T>
const Complex<T>* roots(Context& ctx, std::int64_t n) {
  return kept<T>(ctx, "roots ", n, [n] { return make_roots<T>(n, n); });
}

template <class T>
const Complex<T>* first_roots(Context& ctx, std::int64_t n, std::int64_t count) {
  const std::string what = "first " + std::to_string(count) + " roots ";
  return kept<T>(ctx, what.c_str(), n, [=] { return make_roots<T>(n, count); });
}

template <class T>
const Complex<T>* stepped_roots(Context& ctx, std::int64_t n, std::int64_t step) {
  const std::string what = "roots by " + std::to_string(step) + " of ";
  return kept<T>(ctx, what.c_str(), n, [=] { return make_roots<T>(n, (n + step - 1) / step, step); });
}

template <class T>
const Complex<T>* pass_roots(Context& ctx, std::span<const int> radices) {
  std::string what = "roots of passes";
  std::int64_t n = 1;
  for (const int radix : radices) what += ' ' + std::to_string(radix), n *= radix;
  return kept<T>(ctx, (what + ' ').c_str(), n, [=] { return make_pass_roots<T>(radices); });
}

template <class T>
const T* matrix_roots(Context& ctx, std::int64_t n1, std::int64_t n2, std::int64_t together) {
  const std::string what =
      "matrix roots by " + std::to_string(together) + " of " + std::to_string(n1) + " x ";
  return &kept<T>(ctx, what.c_str(), n2, [=] { return make_matrix_roots<T>(n1, n2, together); })->re;
}

template <class T>
Chirp<T> chirp_of(Context& ctx, std::int64_t n) {
  const std::int64_t m = Fft::convolution_size(n);
  return {n, m, kept<T>(ctx, "chirp ", n, [n] { return make_chirp<T>(n); }),
          kept<T>(ctx, "spectrum ", n, [n, m] { return make_spectrum<T>(n, m); })};
}

template TANDEM_API const Complex<float>* roots(Context&, std::int64_t);
template TANDEM_API const Complex<double>* roots(Context&, std::int64_t);
template TANDEM_API const Complex<float>* first_roots(Context&, std::int64_t, std::int64_t);
template TANDEM_API const Complex<double>* first_roots(Context&, std::int64_t, std::int64_t);
template TANDEM_API const Complex<float>* stepped_roots(Context&, std::int64_t, std::int64_t);
template TANDEM_API const Complex<double>* stepped_roots(Context&, std::int64_t, std::int64_t);
template TANDEM_API const float* matrix_roots(Context&, std::int64_t, std::int64_t, std::int64_t);
template TANDEM_API const double* matrix_roots(Context&, std::int64_t, std::int64_t, std::int64_t);
template TANDEM_API const Complex<float>* pass_roots(Context&, std::span<const int>);
template TANDEM_API const Complex<double>* pass_roots(Context&, std::span<const int>);
template TANDEM_API Chirp<float> chirp_of(Context&, std::int64_t);
template TANDEM_API Chirp<double> chirp_of(Context&, std::int64_t);

}  // namespace tandem
