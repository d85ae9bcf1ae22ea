#pragma once
// Stockham's transform: passes that each leave their results in the order in which the next one reads them, so that nothing
// is put in order at the end.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "custom_kernels/fft/detail/butterflies.h"
#include "lib/core/target_clones.h"

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

/// Butterfly j of n/R of a pass. `stride`: the product of the radices before. roots: e^(−2πi k/n), k = 0 … n−1. Parts of
/// numbers may be those of several rows (lanes.h).
template <int R, class From, class To, class Index, class T>
TANDEM_HD void stockham_butterfly(From from, To to, Index n, Index stride, Index j, const Complex<T>* roots) {
  using Number = std::remove_cvref_t<decltype(from[0])>;
  const Index k = j % stride, step = n / (stride * R);
  Number v[R];
  for (int r = 0; r < R; ++r) v[r] = from[j + r * (n / R)];
  for (int r = 1; r < R; ++r) {
    const Complex<T> root = roots[r * k * step];
    v[r] = v[r] * Number{root.re, root.im};
  }
  butterfly<R>(v);
  for (int r = 0; r < R; ++r) to[(j - k) * R + k + r * stride] = v[r];
}

/// Butterflies first, first + step, … of rows of n numbers that lie one behind the other, `numbers` in all.
template <int R, class From, class To, class Index, class T>
TANDEM_HD void stockham_butterflies(From from, To to, Index n, Index stride, Index numbers, Index first,
                                    Index step, const Complex<T>* roots) {
  for (Index i = first; i < numbers / R; i += step) {
    const Index row = i / (n / R) * n;
    stockham_butterfly<R>(from + row, to + row, n, stride, i % (n / R), roots);
  }
}
/// The same of a radix that is known when it runs.
template <class From, class To, class Index, class T>
TANDEM_HD void stockham_pass(int radix, From from, To to, Index n, Index stride, Index numbers, Index first,
                             Index step, const Complex<T>* roots) {
  switch (radix) {
    case 2:
      return stockham_butterflies<2>(from, to, n, stride, numbers, first, step, roots);
    case 3:
      return stockham_butterflies<3>(from, to, n, stride, numbers, first, step, roots);
    case 4:
      return stockham_butterflies<4>(from, to, n, stride, numbers, first, step, roots);
    case 5:
      return stockham_butterflies<5>(from, to, n, stride, numbers, first, step, roots);
    case 7:
      return stockham_butterflies<7>(from, to, n, stride, numbers, first, step, roots);
    default:
      return stockham_butterflies<8>(from, to, n, stride, numbers, first, step, roots);
  }
}

/// Transforms a smooth number of numbers on the CPU; returns where the result is, x or work.
template <class Number, class T>
[[gnu::flatten]] TANDEM_CLONES Number* stockham(Number* x, Number* work, std::int64_t n,
                                                const Complex<T>* roots) {
  const Radices radices(n);
  std::int64_t stride = 1;
  for (int pass = 0; pass < radices.count; ++pass) {
    stockham_pass(radices.each[pass], x, work, n, stride, n, std::int64_t{0}, std::int64_t{1}, roots);
    stride *= radices.each[pass];
    std::swap(x, work);
  }
  return x;
}

}  // namespace tandem
