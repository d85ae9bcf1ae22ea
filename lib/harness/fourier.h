#pragma once
// What is right for Fourier transforms, and how far off results may be.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "lib/harness/problem.h"
#include "lib/harness/test_data.h"
#include "lib/ops/fft/contract.h"

namespace tandem {

/// The reference: a transform in a wider type, by the least prime factor of the length again and again; where a large prime
/// is left, as a convolution of a power of two (Bluestein). It shares nothing with the steps of the ladder.
template <class Wide>
class Reference {
 public:
  using Number = Complex<Wide>;
  using Row = std::vector<Number>;
  explicit Reference(std::int64_t n) : n_(n), roots_(static_cast<std::size_t>(n)) {
#pragma omp parallel for if (n > 4096)
    for (std::int64_t k = 0; k < n; ++k) roots_[static_cast<std::size_t>(k)] = root(k, n);
    std::int64_t rest = n;
    for (std::int64_t p; rest > 1; rest /= p) prime_ = p = least_factor(rest);
    if (prime_ > kDirect) make_chirp();
  }
  Row operator()(const Row& x) const {
    Row out(x.size()), column(x.size());
    transform(x.data(), 1, out.data(), n_, column.data());
    return out;
  }

 private:
  static constexpr std::int64_t kDirect = 64;  // primes up to this one go by the definition

  /// exp(-2 pi i k / n)
  static Number root(std::int64_t k, std::int64_t n) {
    const long double angle =
        -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
    return {static_cast<Wide>(std::cos(angle)), static_cast<Wide>(std::sin(angle))};
  }
  static std::int64_t least_factor(std::int64_t n) {
    for (std::int64_t p = 2; p * p <= n; ++p) {
      if (n % p == 0) return p;
    }
    return n;
  }
  static Number conjugate(const Number& x) { return {x.re, -x.im}; }

  void transform(const Number* in, std::int64_t stride, Number* out, std::int64_t n, Number* column) const {
    if (n == 1) {
      out[0] = in[0];
      return;
    }
    if (n == prime_ && around_) return convolve(in, stride, out);
    const std::int64_t p = least_factor(n), m = n / p;
    for (std::int64_t r = 0; r < p; ++r) transform(in + r * stride, stride * p, out + r * m, m, column);
    for (std::int64_t k = 0; k < m; ++k) {
      for (std::int64_t r = 0; r < p; ++r) column[r] = out[r * m + k];
      for (std::int64_t q = 0; q < p; ++q) {
        Number sum{0, 0};
        const std::int64_t step = (k + q * m) * stride % n_;  // stride · n is n_
        std::int64_t at = 0;
        for (std::int64_t r = 0; r < p; ++r) {
          sum = sum + column[r] * roots_[static_cast<std::size_t>(at)];
          at += step;
          if (at >= n_) at -= n_;
        }
        out[q * m + k] = sum;
      }
    }
  }

  // jk = (j² + k² − (k − j)²)/2: with c[j] = exp(−πi j²/p), X[k] = c[k] · Σ x[j] c[j] · conj(c[k − j]).
  void make_chirp() {
    std::int64_t size = 1;
    while (size < 2 * prime_ - 1) size *= 2;
    around_ = std::make_unique<Reference>(size);
    chirp_.resize(static_cast<std::size_t>(prime_));
    Row both_ways(static_cast<std::size_t>(size), Number{0, 0});
    for (std::int64_t j = 0, square = 0; j < prime_; ++j) {  // square: j² modulo 2p
      const Number c = root(square, 2 * prime_);
      chirp_[static_cast<std::size_t>(j)] = c;
      both_ways[static_cast<std::size_t>(j)] = conjugate(c);
      both_ways[static_cast<std::size_t>((size - j) % size)] = conjugate(c);
      square = (square + 2 * j + 1) % (2 * prime_);
    }
    filter_ = (*around_)(both_ways);
  }
  void convolve(const Number* in, std::int64_t stride, Number* out) const {
    const std::size_t p = chirp_.size();
    Row x(filter_.size(), Number{0, 0});
    for (std::size_t j = 0; j < p; ++j) x[j] = in[static_cast<std::int64_t>(j) * stride] * chirp_[j];
    x = (*around_)(x);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = conjugate(x[k] * filter_[k]);
    x = (*around_)(x);  // of conjugates: there and back
    const Wide share = 1 / static_cast<Wide>(x.size());
    for (std::size_t k = 0; k < p; ++k) out[k] = share * (chirp_[k] * conjugate(x[k]));
  }

  std::int64_t n_, prime_ = 1;  // the greatest of n
  Row roots_;
  std::unique_ptr<const Reference> around_;  // of the convolution
  Row chirp_, filter_;
};

/// What is right for each row of a trial: made when the first path is checked, and kept for the others.
template <class Wide>
class RightRows {
 public:
  using Row = typename Reference<Wide>::Row;
  explicit RightRows(std::int64_t count) : rows_(static_cast<std::size_t>(count)) {}
  /// Threads may ask for different rows at once.
  template <class Make>
  const Row& of(std::int64_t row, const Make& make) {
    Row& known = rows_[static_cast<std::size_t>(row)];
    if (known.empty()) known = make();
    return known;
  }

 private:
  std::vector<Row> rows_;
};

/// How many times what the theory of rounding errors says they may be.
inline constexpr double kAllowedSpectrum = 4;

/// Rows of a trial past 2^31 numbers, whose results are linear in each row: one row times a small whole number each, another
/// one than the next rows have.
inline constexpr int kRowWeights[] = {1, -2, 3, 2, -1, 4, -3, 5, -4, 7, -5, 6, -7};
template <class T>
ClosedForm<T> weighted_rows(const std::vector<T>& row) {
  return {{std::begin(kRowWeights), std::end(kRowWeights)},
          1,
          0,
          0,
          row,
          0,
          1,
          static_cast<std::int64_t>(row.size())};
}
/// A row of any numbers, by its parts.
template <class T>
std::vector<T> row_of_parts(std::int64_t parts, std::uint64_t seed) {
  std::vector<T> row(static_cast<std::size_t>(parts));
  fill_random(std::span<T>(row), OperatorId::plus, Values::real, seed);
  return row;
}
template <class T>
std::vector<Complex<Wider<T>>> numbers_of(const std::vector<T>& parts) {
  std::vector<Complex<Wider<T>>> numbers;
  for (std::size_t i = 0; i < parts.size(); i += 2) numbers.push_back({parts[i], parts[i + 1]});
  return numbers;
}
template <class T, class Wide>
std::vector<T> parts_of(std::span<const Complex<Wide>> numbers) {
  std::vector<T> parts;
  for (const Complex<Wide>& x : numbers) {
    parts.push_back(static_cast<T>(x.re));
    parts.push_back(static_cast<T>(x.im));
  }
  return parts;
}
/// How far a result of weighted_rows may be off, whose own row became `results`: what SpectrumError allows a row of the
/// greatest weight.
template <class T>
double allowed_of_rows(const std::vector<T>& results) {
  constexpr double kGreatestWeight = std::ranges::max(kRowWeights);
  double norm = 0;
  for (const T x : results) norm += static_cast<double>(x) * static_cast<double>(x);
  return kAllowedSpectrum * kGreatestWeight * static_cast<double>(std::numeric_limits<T>::epsilon()) *
         std::log2(static_cast<double>(results.size())) * std::sqrt(norm);
}

/// How far results are from what is right, in the Euclidean norm: ‖got − X‖ ÷ (4 ε depth ‖X‖) (Higham 2002, theorem 24.2,
/// gives 3.4 ε log2(n) for radix 2), with what can be lost to underflow.
template <class T>
class SpectrumError {
 public:
  using Wide = Wider<T>;
  /// A result, by its parts; `where`: its number; `times`: in how many places of the whole it stands.
  void add(T re, T im, const Complex<Wide>& right, std::int64_t where, int times = 1) {
    const Wide off_re = re - right.re, off_im = im - right.im;
    const Wide here = off_re * off_re + off_im * off_im;
    const auto weight = static_cast<Wide>(times);
    error_ += weight * here, norm_ += weight * (right.re * right.re + right.im * right.im);
    if (!(here <= worst_)) worst_ = here, where_ = where;  // a NaN stays
  }
  /// Errors are measured by a norm that is not that of the results.
  void measure_by(Wide norm) { norm_ = norm * norm; }
  /// Of transforms of n numbers, whose results were multiplied by `factor`.
  Verdict verdict(double depth, std::int64_t n, Wide factor, const std::string& of_what) const {
    const Wide unit = std::numeric_limits<T>::epsilon(), least = std::numeric_limits<T>::denorm_min();
    const Wide limit = static_cast<Wide>(kAllowedSpectrum) * static_cast<Wide>(depth) *
                       (unit * std::sqrt(norm_) + least * static_cast<Wide>(n) * (1 + factor));
    const Wide ratio = error_ == 0 ? 0 : std::sqrt(error_) / limit;
    if (ratio <= 1) {
      Verdict right;
      right.worst = static_cast<double>(ratio), right.index = ratio > 0 ? where_ : -1;
      return right;
    }
    Verdict wrong = Verdict::wrong(fmt::format("{}: the error is {:.3g} times the bound, worst in {}",
                                               of_what, static_cast<double>(ratio), where_),
                                   where_);
    wrong.digits_alone = std::isfinite(ratio);
    if (wrong.digits_alone) wrong.worst = static_cast<double>(ratio);
    return wrong;
  }

 private:
  Wide error_ = 0, norm_ = 0, worst_ = -1;
  std::int64_t where_ = 0;
};

/// Of a row of numbers of which some were no finite ones, where every result depends on all of them.
template <class T>
Verdict check_not_finite(std::span<const T> got, std::int64_t row) {
  for (std::size_t k = 0; k < got.size(); k += 2) {
    if (std::isfinite(got[k]) && std::isfinite(got[k + 1]))
      return Verdict::wrong(fmt::format("row {}: result {} does not show a NaN of the input", row, k / 2));
  }
  return {};
}

/// Parts that are no part of a result are as they were: those of `before`, or poison where that is empty.
template <class T, class IsResult>
Verdict check_between(std::span<const T> got, std::span<const T> before, IsResult is_result) {
  T poison;
  std::memset(&poison, 0xFF, sizeof poison);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (is_result(i)) continue;
    if (std::memcmp(&got[i], before.empty() ? &poison : &before[i], sizeof(T)) != 0)
      return Verdict::wrong(fmt::format("wrote between results, part {}", i));
  }
  return {};
}

inline std::int64_t greatest_factor(std::int64_t n) {
  std::int64_t greatest = 1;
  for (std::int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) greatest = p;
  }
  return std::max(greatest, n);
}

/// Of a transform of n numbers, so that calls in place can be repeated.
inline double factor_that_keeps_norm(std::int64_t n) { return 1 / std::sqrt(static_cast<double>(n)); }

/// The greatest length up to n of a kind; of other lengths those whose reference takes no minutes.
inline std::int64_t length_up_to(std::int64_t n, std::size_t kind) {
  constexpr std::int64_t kGreatestFactor = 4500;
  const auto is = [&](std::int64_t m) {
    return Fft::kind_of(m) == kind && (kind < 2 || greatest_factor(m) <= kGreatestFactor);
  };
  while (n > 0 && !is(n)) --n;
  return n;
}
/// A number of rows near `count` as callers have them: cuFFT is up to twice as fast where it is a power of two (H200).
inline std::int64_t usual_batch(std::int64_t count) { return count < 4 ? count : (count + count / 5) | 1; }

/// A length up to `most`; every second one is a power of two.
inline std::int64_t draw_length(Draws& draws, std::int64_t most) {
  const std::int64_t n = draws.size(1, most);
  const auto variant = static_cast<std::size_t>(std::max<std::int64_t>(draws.below(4) - 1, 0));
  return std::max(length_up_to(n, variant), std::int64_t{1});
}

}  // namespace tandem
