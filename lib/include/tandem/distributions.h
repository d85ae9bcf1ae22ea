#pragma once
// What random words become: numbers of a distribution, with the same bits on the CPU and in kernels.

#include <cstdint>
#include <type_traits>

#include "tandem/normal_coefficients.h"
#include "tandem/philox.h"

namespace tandem {

// A distribution has a Value, the type of its numbers; a Word, the unsigned integer that one of them is made of; and a call
// operator from one to the other. Parameters, which are those that random() takes, are kept as they were given: nothing
// checks them here.

namespace detail {
/// The word of a number of type T: as many bits.
template <class T>
using WordOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
constexpr bool is_word() {
  return std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>;
}
template <class T>
constexpr bool is_real() {
  return std::is_same_v<T, float> || std::is_same_v<T, double>;
}

/// The quantile of the standard normal distribution at (w + ½) / 2^32: w and its complement give numbers that differ in
/// the sign alone. Up to ±6.34; within 2^-21 times its value, or 2^-21 where that is below 1. cubic(c): number c of
/// normal_cubics().
template <class GetCubic>
TANDEM_MATH float normal_quantile(std::uint32_t w, GetCubic cubic) {
  const std::uint32_t upper = static_cast<std::uint32_t>(static_cast<std::int32_t>(w) >> 31);
  const auto f = static_cast<float>((w << 1 ^ upper) | 1);  // p = f / 2^33, at most a half
  const auto bits = same_bits<std::uint32_t>(f);
  const Cubic c = cubic((bits >> 20) - (127u << 3));
  const float t = same_bits<float>((bits & 0x000FFFFF) | 0x3F800000) - 1.0625f;
  const float z = fused(fused(fused(c.c3, t, c.c2), t, c.c1), t, c.c0);
  return same_bits<float>(same_bits<std::uint32_t>(z) ^ (~upper & 0x80000000));
}
TANDEM_MATH float normal_quantile(std::uint32_t w) {
  return normal_quantile(w, [](std::uint32_t c) { return normal_cubics()[c]; });
}

/// The same at (w + ½) / 2^64: up to ±9.16; within 2^-50 times its value, or 2^-50 where that is below 1.
/// ratio(−ln 4p(1 − p)): the quantile's distance from 0, divided by 1 − 2p.
template <class Ratio>
TANDEM_MATH double normal_quantile(std::uint64_t w, Ratio ratio) {
  const auto upper = static_cast<std::uint64_t>(static_cast<std::int64_t>(w) >> 63);
  const double p = to_double((w << 1 ^ upper) | 1) * 0x1p-65;
  const double z = fused(-2, p, 1) * ratio(-logarithm(4 * p * (1 - p)));
  return same_bits<double>(same_bits<std::uint64_t>(z) ^ (~upper & 0x8000000000000000));
}
inline constexpr double kNormalCenter =
    6.25;  // up to here one polynomial will do, for all numbers but one in 1,000
TANDEM_MATH double normal_quantile(std::uint64_t w) {
  return normal_quantile(w, [](double minus_log) {
    if (minus_log < kNormalCenter) return normal_center(minus_log - 3.125);
    const double root = square_root(minus_log);
    return root < 4.25 ? normal_tail(root - 3.375) : normal_far_tail(root - 5.4375);
  });
}
}  // namespace detail

/// Real numbers of [low, high): low + k (high − low) / 2^24 rounded once, k from 0 to 2^24 − 1, and the number below
/// `high` where that rounds to it; of doubles with 2^53. All of [0, 1) unless said otherwise.
template <class T = float>
class Uniform {
  static_assert(detail::is_real<T>() || detail::is_word<T>(),
                "Uniform takes float, double, uint32 and uint64");

 public:
  using Value = T;
  using Word = detail::WordOf<T>;
  TANDEM_HD constexpr Uniform() : Uniform(0, 1) {}
  TANDEM_HD constexpr Uniform(T low, T high)
      : low_(low), high_(high), scale_((high - low) * (sizeof(T) == 4 ? T(0x1p-24) : T(0x1p-53))) {}
  TANDEM_MATH T operator()(Word word) const {
    T k;
    if constexpr (sizeof(T) == 4)
      k = static_cast<T>(static_cast<std::int32_t>(word >> 8));
    else
      k = detail::to_double(word >> 11);
    const T x = detail::fused(k, scale_, low_);
    return x < high_ ? x : before(high_);
  }
  double first() const { return low_; }
  double second() const { return high_; }

 private:
  /// The number below.
  static TANDEM_HD constexpr T before(T x) {
    const auto bits = __builtin_bit_cast(Word, x);
    constexpr Word kSign = Word{1} << (8 * sizeof(T) - 1);
    return __builtin_bit_cast(T, (bits & ~kSign) == 0 ? kSign | 1 : bits & kSign ? bits + 1 : bits - 1);
  }
  T low_, high_, scale_;
};
/// Of integers all, each as likely.
template <class T>
requires(detail::is_word<T>()) class Uniform<T> {
 public:
  using Value = T;
  using Word = T;
  TANDEM_HD constexpr T operator()(Word word) const { return word; }
  double first() const { return 0; }
  double second() const { return 0; }
};
template <class T>
Uniform(T, T) -> Uniform<T>;

/// mean + deviation · z, rounded once, z of the standard normal distribution.
template <class T = float>
class Normal {
  static_assert(detail::is_real<T>(), "Normal takes float and double");

 public:
  using Value = T;
  using Word = detail::WordOf<T>;
  TANDEM_HD constexpr explicit Normal(T mean = 0, T deviation = 1) : mean_(mean), deviation_(deviation) {}
  TANDEM_MATH T operator()(Word word) const { return from(detail::normal_quantile(word)); }
  /// The number that a standard normal one stands for.
  TANDEM_MATH T from(T z) const { return detail::fused(deviation_, z, mean_); }
  double first() const { return mean_; }
  double second() const { return deviation_; }

 private:
  T mean_, deviation_;
};

/// e to the power of a normal number; 0 or ∞ where that leaves the type.
template <class T = float>
class LogNormal {
  static_assert(detail::is_real<T>(), "LogNormal takes float and double");

 public:
  using Value = T;
  using Word = detail::WordOf<T>;
  TANDEM_HD constexpr explicit LogNormal(T mean = 0, T deviation = 1) : normal_(mean, deviation) {}
  TANDEM_MATH T operator()(Word word) const { return from(detail::normal_quantile(word)); }
  TANDEM_MATH T from(T z) const { return detail::exponential(normal_.from(z)); }
  double first() const { return normal_.first(); }
  double second() const { return normal_.second(); }

 private:
  Normal<T> normal_;
};

namespace detail {
/// Poisson numbers above a mean of 64, by attempts, each of one counter of Philox.
/// Source:  Hörmann 1993, "The transformed rejection method for generating Poisson random variables" (PTRS).
struct PoissonRejection {
  double mean = 0, center = 0, twice_a = 0, b = 0, log_inverse_alpha = 0, most_v = 0;

  PoissonRejection() = default;
  TANDEM_HD explicit PoissonRejection(double mean_) : mean(mean_) {
    b = fused(2.53, square_root(mean), 0.931);
    twice_a = 2 * fused(0.02483, b, -0.059);
    center = mean + 0.43;
    log_inverse_alpha = logarithm(1.1239 + 1.1328 / (b - 3.4));
    most_v = 0.9277 - 3.6224 / (b - 2);
  }

  /// The whole number k that an attempt proposes; it is accepted where v is low enough.
  struct Attempt {
    double v, side, k;
  };
  /// Attempt t = 1, 2, … of number i. words: Philox, or its RoundKeys.
  template <class Words>
  TANDEM_MATH Attempt attempt(const Words& words, std::uint64_t i, std::uint64_t t) const {
    const Philox::Words w = words(i, t);
    const double u = fraction_plus(Philox::pair(w.w[0], w.w[1]), -0.5);
    const double v = fraction_plus(Philox::pair(w.w[2], w.w[3]), 0x1p-54);
    const double side = 0.5 - magnitude(u);
    return {v, side, whole_part(fused(quotient(twice_a, side) + b, u, center))};
  }
  /// Most attempts are accepted, or not, without a logarithm. One whose side is 0, so that k is no number, is not.
  TANDEM_MATH bool surely(const Attempt& x) const { return x.side >= 0.07 && x.v <= most_v; }
  static constexpr double kThin = 0.013;
  TANDEM_MATH bool never(const Attempt& x) const { return x.k < 0 || (x.side < kThin && x.v > x.side); }
  /// Of the others, whether v is below what the probability of k says.
  TANDEM_HD bool accepts(const Attempt& x) const {
    const double slope = twice_a / 2 / (x.side * x.side) + b;
    return logarithm(x.v) + log_inverse_alpha - logarithm(slope) <= log_probability(x.k);
  }
  /// ln of the probability of k, a whole number. Stirling's series; below 10 the sum of logarithms.
  TANDEM_HD double log_probability(double k) const {
    if (k < 10) {
      double product = 1;
      for (double i = 2; i <= k; ++i) product *= i;
      return fused(k, logarithm(mean), -mean) - logarithm(product);
    }
    // −k ln(k / mean) + k − mean, by its logarithm's argument near 1, where the terms would cancel
    const double inverse = 1 / k, square = inverse * inverse;
    const double series = polynomial({-1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12}, square);
    const double exponent = fused(-k, logarithm(k / mean), k - mean);
    return fused(-0.5, logarithm(6.283185307179586 * k), fused(-inverse, series, exponent));
  }

  /// Number i.
  TANDEM_HD double at(const Philox& philox, std::uint64_t i) const {
    for (std::uint64_t t = 1;; ++t) {
      const Attempt x = attempt(philox, i, t);
      if (surely(x) || (!never(x) && accepts(x))) return x.k;
    }
  }
};
}  // namespace detail

/// How often something happens that happens `mean` times on average. Up to a mean of 64 the quantile, from one word of 64
/// bits; above by rejection, from as many counters of Philox as it takes: attempt t = 1, 2, … of number i from counter
/// i + 2^64 · t.
template <class T = std::uint32_t>
class Poisson {
  static_assert(detail::is_word<T>(), "Poisson takes uint32 and uint64");

 public:
  using Value = T;
  using Word = std::uint64_t;
  static constexpr double kMostByQuantile = 64, kMost = 0x1p30;

  /// mean: above 0, at most 2^30. A table of 192 probabilities is made; on the host, then, for many numbers.
  TANDEM_HD explicit Poisson(double mean) : mean_(mean) {
    if (by_quantile()) {
      double p = detail::exponential(-mean), sum = 0;
      for (int k = 0; k < kTable; ++k) {
        sum += p;
        below_[k] = sum < 1 ? static_cast<std::uint64_t>(sum * 0x1p63) : std::uint64_t{1} << 63;
        p = p * mean / (k + 1);
      }
    } else {
      rejection_ = detail::PoissonRejection(mean);
    }
  }

  double first() const { return mean_; }
  double second() const { return 0; }
  TANDEM_HD bool by_quantile() const { return mean_ <= kMostByQuantile; }
  /// Where by_quantile(): how many of the cumulated probabilities the word's upper 63 bits, as a fraction, are not below.
  TANDEM_HD T operator()(Word word) const {
    return quantile(word, [this](int k) { return below_[k]; });
  }
  /// The same with below(k) from elsewhere.
  template <class Below>
  static TANDEM_HD T quantile(Word word, Below below) {
    const std::uint64_t fraction = word >> 1;
    int count = 0;
    TANDEM_UNROLL
    for (int half = 128; half > 0; half /= 2) {
      if (count + half <= kTable && below(count + half - 1) <= fraction) count += half;
    }
    return static_cast<T>(count);
  }
  static constexpr int kTable = 192;
  /// The probability of k or less, times 2^63, for k below kTable.
  TANDEM_HD std::uint64_t below(int k) const { return below_[k]; }
  /// Number i, for any mean.
  TANDEM_HD T at(const Philox& philox, std::uint64_t i) const {
    return by_quantile() ? (*this)(philox.word<Word>(i)) : static_cast<T>(rejection_.at(philox, i));
  }

 private:
  double mean_;
  detail::PoissonRejection rejection_;
  std::uint64_t below_[kTable];
};

/// Element i of what random(ctx, out, distribution, {.seed = …}) makes, for words = Philox(seed); on the CPU or in a kernel.
/// words may also be Sobol, but not for a Poisson distribution whose mean is above 64.
template <class Distribution, class Words>
TANDEM_HD typename Distribution::Value random_element(const Distribution& distribution, const Words& words,
                                                      std::uint64_t i) {
  if constexpr (requires { distribution.at(words, i); })
    return distribution.at(words, i);
  else
    return distribution(words.template word<typename Distribution::Word>(i));
}

}  // namespace tandem
