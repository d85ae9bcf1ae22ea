#pragma once
// A complex number as kernels see it: the two parts of a std::complex, moved by one load or store.

#include "tandem/operators.h"

namespace tandem {

template <class T>
struct alignas(sizeof(T) > 8 ? alignof(T) : 2 * sizeof(T)) Complex {
  T re, im;

  friend TANDEM_HD Complex operator+(const Complex& a, const Complex& b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend TANDEM_HD Complex operator-(const Complex& a, const Complex& b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend TANDEM_HD Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend TANDEM_HD Complex operator*(const T& factor, const Complex& a) {
    return {factor * a.re, factor * a.im};
  }
};

/// −i a.
template <class T>
TANDEM_HD Complex<T> by_minus_i(const Complex<T>& a) {
  return {a.im, -a.re};
}
template <class T>
TANDEM_HD Complex<T> conjugate(const Complex<T>& a) {
  return {a.re, -a.im};
}
/// The parts change places: swapped(fft(swapped(x))) is the inverse transform of x.
template <class T>
TANDEM_HD Complex<T> swapped(const Complex<T>& a) {
  return {a.im, a.re};
}

}  // namespace tandem
