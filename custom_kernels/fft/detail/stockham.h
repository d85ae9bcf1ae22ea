#pragma once
// Stockham's transform: passes that each leave their results in the order in which the next one reads them, so that nothing
// is put in order at the end.

#include <cstdint>
#include <utility>

#include "custom_kernels/fft/detail/butterflies.h"

namespace tandem {

/// The radices of a smooth length: 8 as often as possible, then the rest.
struct Radices {
  int count = 0;
  int each[48] = {};
  explicit Radices(std::int64_t n) {
    for (const int radix : {8, 4, 2, 3, 5, 7}) {
      for (; n % radix == 0; n /= radix) each[count++] = radix;
    }
  }
};

/// Butterfly j of n/R of a pass. `stride`: the product of the radices before. roots: e^(−2πi k/n), k = 0 … n−1.
template <int R, class From, class To, class Index, class T>
TANDEM_HD void stockham_butterfly(From from, To to, Index n, Index stride, Index j, const Complex<T>* roots) {
  const Index k = j % stride, step = n / (stride * R);
  Complex<T> v[R];
  for (int r = 0; r < R; ++r) v[r] = from[j + r * (n / R)];
  for (int r = 1; r < R; ++r) v[r] = v[r] * roots[r * k * step];
  butterfly<R>(v);
  for (int r = 0; r < R; ++r) to[(j - k) * R + k + r * stride] = v[r];
}

/// Calls f.operator()<R>() for the radix.
template <class F>
TANDEM_HD void with_radix(int radix, F&& f) {
  switch (radix) {
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 7:
      return f.template operator()<7>();
    default:
      return f.template operator()<8>();
  }
}

/// Transforms a smooth number of numbers on the CPU; returns where the result is, x or work.
template <class T>
Complex<T>* stockham(Complex<T>* x, Complex<T>* work, std::int64_t n, const Complex<T>* roots) {
  const Radices radices(n);
  std::int64_t stride = 1;
  for (int pass = 0; pass < radices.count; ++pass) {
    with_radix(radices.each[pass], [&]<int R>() {
      for (std::int64_t j = 0; j < n / R; ++j) stockham_butterfly<R>(x, work, n, stride, j, roots);
      stride *= R;
    });
    std::swap(x, work);
  }
  return x;
}

}  // namespace tandem
