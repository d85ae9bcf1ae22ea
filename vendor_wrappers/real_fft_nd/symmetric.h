#pragma once
// Spectra for libraries that take it for granted that a plane is the conjugate of itself.

#include "lib/ops/real_fft_nd/contract.h"

namespace tandem {

/// Number i of a grid's spectrum in row-major order. In planes that hold both of two conjugates it is the part for which they are.
template <class Args, class T = decltype(Args::factor)>
TANDEM_HD Complex<T> symmetric_number(const Args& a, std::int64_t grid, std::int64_t i) {
  const std::int64_t stored = RealFft::spectrum_size(a.extents[2]), r = i % stored,
                     q = i / stored % a.extents[1], p = i / (stored * a.extents[1]);
  const auto number = [&](std::int64_t x, std::int64_t y) {
    return reinterpret_cast<const Complex<T>*>(
        a.in)[grid * a.from.distance + x * a.from.strides[0] + y * a.from.strides[1] + r * a.from.strides[2]];
  };
  const Complex<T> x = number(p, q);
  if (r != 0 && 2 * r != a.extents[2]) return x;
  const Complex<T> y = number(p == 0 ? 0 : a.extents[0] - p, q == 0 ? 0 : a.extents[1] - q);
  const T half = T(0.5);
  return half * x + half * conjugate(y);
}

}  // namespace tandem
