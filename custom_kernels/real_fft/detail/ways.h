#pragma once
// Real rows as complex ones, which the parts of fft's steps transform: between load() and store(), forward.

#include "lib/ops/real_fft/contract.h"

namespace tandem {

/// The length of a row's complex ones: pairs where n is even.
constexpr std::int64_t complex_length(std::int64_t n) { return n % 2 == 0 ? n / 2 : n; }

/// The textbook's way: n numbers without imaginary parts; of the results those past n/2 say nothing new.
template <class Args, class T = decltype(Args::factor)>
struct PlainWay {
  Args a;
  std::int64_t n, batch;
  TANDEM_HD explicit PlainWay(const Args& a) : a(a), n(a.n), batch(a.batch) {}
  /// The way of one row, number 0 of its own, which knows where that begins.
  TANDEM_HD auto alone(std::int64_t row) const { return PlainWay<decltype(a.alone(row))>(a.alone(row)); }

  TANDEM_HD std::int64_t results() const { return a.inverse ? n : RealFft::spectrum_size(n); }
  TANDEM_HD Complex<T> load(std::int64_t row, std::int64_t j) const {
    if (!a.inverse) return {a.load_real(row, j), 0};
    const bool stored = 2 * j <= n;
    const Complex<T> x = a.load_complex(row, stored ? j : n - j);
    return swapped(stored ? x : conjugate(x));
  }
  TANDEM_HD void store(std::int64_t row, std::int64_t k, Complex<T> x) const {
    if (a.inverse)
      a.store_real(row, k, x.im);
    else if (2 * k <= n)
      a.store_complex(row, k, x);
  }
};

/// Even n: pairs of real numbers are n/2 complex ones z. Their transform Z holds those of even and odd numbers, E and O, as
/// E + iO, and X[k] = E[k] + w^k O[k]. Forward rows are not done when Z is stored, in the place of X: split() comes behind.
template <class Args, class T = decltype(Args::factor)>
struct PackedWay {
  Args a;
  const Complex<T>* roots;  // w^k = e^(−2πi k/n)
  std::int64_t n, batch;
  bool in_pairs;  // real numbers of each row lie where complex ones could
  PackedWay(const Args& a, const Complex<T>* roots) : PackedWay(a, roots, a.has_pairs()) {}
  TANDEM_HD PackedWay(const Args& a, const Complex<T>* roots, bool in_pairs)
      : a(a), roots(roots), n(a.n / 2), batch(a.batch), in_pairs(in_pairs) {}
  /// The way of one row, number 0 of its own, which knows where that begins.
  TANDEM_HD auto alone(std::int64_t row) const {
    return PackedWay<decltype(a.alone(row))>(a.alone(row), roots, in_pairs);
  }

  TANDEM_HD Complex<T> load(std::int64_t row, std::int64_t j) const {
    if (!a.inverse && in_pairs) return a.pairs(row)[j];
    if (!a.inverse) return {a.load_real(row, 2 * j), a.load_real(row, 2 * j + 1)};
    const auto [even, odd] = even_and_odd(row, j);
    return swapped(even - odd);
  }
  TANDEM_HD void store(std::int64_t row, std::int64_t k, Complex<T> x) const {
    if (a.inverse)
      a.store_real(row, 2 * k, x.im), a.store_real(row, 2 * k + 1, x.re);
    else
      a.spectrum(row)[k] = x;
  }

  TANDEM_HD bool splits() const { return !a.inverse; }
  /// Pairs of a row.
  TANDEM_HD std::int64_t pairs() const { return n / 2 + 1; }
  /// Results k and n − k from numbers k and n − k of Z, number n being number 0; z[i] may lie where result i comes.
  template <class Z>
  TANDEM_HD void split(std::int64_t row, std::int64_t k, const Z& z) const {
    const Complex<T> x = z[k], y = conjugate(z[k == 0 ? 0 : n - k]);
    const Complex<T> even = x + y, odd = by_minus_i(x - y) * roots[k];
    const T half = T(0.5);
    a.store_complex(row, k, half * (even + odd));
    a.store_complex(row, n - k, half * conjugate(even - odd));
  }
  /// Back: numbers k and n − k that load() gives, n being none, into z.
  template <class Z>
  TANDEM_HD void join(std::int64_t row, std::int64_t k, const Z& z) const {
    const auto [even, odd] = even_and_odd(row, k);
    z[k] = swapped(even - odd);
    if (k > 0) z[n - k] = swapped(conjugate(even + odd));
  }

 private:
  struct Parts {
    Complex<T> even, odd;  // E[k] and −iO[k], twice as great
  };
  TANDEM_HD Parts even_and_odd(std::int64_t row, std::int64_t k) const {
    const Complex<T> x = a.load_complex(row, k), y = conjugate(a.load_complex(row, n - k));
    return {x + y, by_minus_i((x - y) * conjugate(roots[k]))};
  }
};

}  // namespace tandem
