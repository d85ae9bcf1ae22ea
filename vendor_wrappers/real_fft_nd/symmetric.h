#pragma once
// Spectra for libraries that take it for granted that a plane is the conjugate of itself.

#include "lib/ops/real_fft_nd/contract.h"

namespace tandem {

/// The spectra of a call. Of planes that hold both of two conjugates it has the part for which they are.
template <class T>
struct SymmetricSpectra {
  const Complex<T>* in;
  std::int64_t n0, n1, n2;  // of the real grid
  std::int64_t stride0, stride1, stride2, distance;

  template <class Args>
  explicit SymmetricSpectra(const Args& a)
      : in(reinterpret_cast<const Complex<T>*>(a.in)),
        n0(a.extents[0]),
        n1(a.extents[1]),
        n2(a.extents[2]),
        stride0(a.from.strides[0]),
        stride1(a.from.strides[1]),
        stride2(a.from.strides[2]),
        distance(a.from.distance) {}
  /// Number i of all of them, each in row-major order.
  TANDEM_HD Complex<T> operator[](std::int64_t i) const {
    const std::int64_t stored = RealFft::spectrum_size(n2), r = i % stored, q = i / stored % n1,
                       p = i / (stored * n1) % n0, grid = i / (stored * n1 * n0);
    const auto number = [&](std::int64_t x, std::int64_t y) {
      return in[grid * distance + x * stride0 + y * stride1 + r * stride2];
    };
    const Complex<T> x = number(p, q);
    if (r != 0 && 2 * r != n2) return x;
    const Complex<T> y = number(p == 0 ? 0 : n0 - p, q == 0 ? 0 : n1 - q);
    const T half = T(0.5);
    return half * x + half * conjugate(y);
  }
};

}  // namespace tandem
