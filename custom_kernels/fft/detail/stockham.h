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
  Radices() = default;
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

/// A pass over a row on the CPU. kFirst: of stride 1, where all roots are 1.
template <int R, bool kFirst, class Number, class T>
void stockham_row_pass(const Number* from, Number* to, std::int64_t n, std::int64_t stride,
                       const Complex<T>* roots) {
  const std::int64_t blocks = n / (stride * R);
  for (std::int64_t b = 0; b < blocks; ++b) {
    for (std::int64_t k = 0; k < (kFirst ? 1 : stride); ++k) {
      Number v[R];
      for (int r = 0; r < R; ++r) v[r] = from[b * stride + k + r * (n / R)];
      for (int r = 1; r < R && !kFirst; ++r) {
        const Complex<T> root = roots[r * k * blocks];
        v[r] = v[r] * Number{root.re, root.im};
      }
      butterfly<R>(v);
      for (int r = 0; r < R; ++r) to[b * stride * R + k + r * stride] = v[r];
    }
  }
}
template <int R, class Number, class T>
void stockham_row_pass(const Number* from, Number* to, std::int64_t n, std::int64_t stride,
                       const Complex<T>* roots) {
  if (stride == 1)
    stockham_row_pass<R, true>(from, to, n, stride, roots);
  else
    stockham_row_pass<R, false>(from, to, n, stride, roots);
}

/// What transforms of a smooth number of numbers need; made once, as finding it takes as long as a short row.
template <class T>
struct StockhamPlan {
  std::int64_t n = 0;
  Radices radices;
  const Complex<T>* roots = nullptr;
};

/// Transforms so many numbers on the CPU; returns where the result is, x or work.
template <class Number, class T>
[[gnu::flatten]] TANDEM_CLONES Number* stockham(Number* x, Number* work, const StockhamPlan<T>& plan) {
  const auto& [n, radices, roots] = plan;
  std::int64_t stride = 1;
  for (int pass = 0; pass < radices.count; ++pass) {
    const int radix = radices.each[pass];
    switch (radix) {
      case 2:
        stockham_row_pass<2>(x, work, n, stride, roots);
        break;
      case 3:
        stockham_row_pass<3>(x, work, n, stride, roots);
        break;
      case 4:
        stockham_row_pass<4>(x, work, n, stride, roots);
        break;
      case 5:
        stockham_row_pass<5>(x, work, n, stride, roots);
        break;
      case 7:
        stockham_row_pass<7>(x, work, n, stride, roots);
        break;
      default:
        stockham_row_pass<8>(x, work, n, stride, roots);
    }
    stride *= radix;
    std::swap(x, work);
  }
  return x;
}

}  // namespace tandem
