#pragma once
// The sum of floating-point numbers without any rounding, and its value rounded once: the same bits whatever the order,
// the number of threads or the machine.

#include <cmath>
#include <cstdint>
#include <cstring>

#include "lib/core/registry.h"

namespace tandem {

/// The bits of a T from the top: sign, exponent, mantissa.
template <class T>
struct Format;
template <>
struct Format<float> {
  using Word = std::uint32_t;
  static constexpr int kMantissa = 23, kExponent = 8;
};
template <>
struct Format<double> {
  using Word = std::uint64_t;
  static constexpr int kMantissa = 52, kExponent = 11;
};

/// A finite number is ± mantissa · 2^bit · unit, the unit being half the smallest number above zero.
template <class T>
struct FixedPoint {
  static constexpr int kMantissa = Format<T>::kMantissa, kExponents = 1 << Format<T>::kExponent;
  static constexpr int kUnit = 1 - kExponents / 2 - kMantissa;  // its power of two
  std::int64_t mantissa;
  int bit;  // kExponents − 1 for infinities and NaN
  bool negative;

  TANDEM_HD explicit FixedPoint(T x) {
    typename Format<T>::Word word;
    std::memcpy(&word, &x, sizeof word);
    const std::int64_t below = std::int64_t(word) & ((std::int64_t{1} << kMantissa) - 1);
    bit = static_cast<int>(word >> kMantissa) & (kExponents - 1);
    negative = word >> (kMantissa + Format<T>::kExponent) & 1;
    mantissa = below | std::int64_t{bit > 0} << kMantissa;
    bit += bit == 0;  // a subnormal number, or zero
  }
  TANDEM_HD bool finite() const { return bit < kExponents - 1; }
};

/// What a sum of numbers is that are not all finite: of infinities of one sign that infinity, else NaN.
struct Specials {
  enum : unsigned { kPlus = 1, kMinus = 2, kNan = 4 };
  unsigned seen = 0;  // of these
  template <class T>
  TANDEM_HD void add(T x) {
    if (x != x)
      seen |= kNan;
    else if (x - x != 0)
      seen |= x > 0 ? kPlus : kMinus;
  }
};

/// Σ limbs[k] · 2^(32 k) · unit. carry() leaves 32 bits of the 64 of a limb, so that 2^29 additions, or as many sums,
/// come together without overflow.
template <class T>
struct ExactSum {
  static constexpr int kLimbs = (FixedPoint<T>::kExponents + FixedPoint<T>::kMantissa + 63) / 32 + 1;
  std::int64_t limbs[kLimbs] = {};

  /// Adds value · 2^bit · unit.
  TANDEM_HD void add(std::int64_t value, int bit) {
    const int k = bit / 32, shift = bit % 32;
    const std::int64_t low = (value & 0xffffffff) << shift, high = (value >> 32) * (std::int64_t{1} << shift);
    limbs[k] += low & 0xffffffff;
    limbs[k + 1] += (low >> 32) + (high & 0xffffffff);
    limbs[k + 2] += high >> 32;
  }
  /// The limbs but the last come into 0 … 2^32 − 1.
  TANDEM_HD void carry() {
    for (int k = 0; k + 1 < kLimbs; ++k) {
      limbs[k + 1] += limbs[k] >> 32;
      limbs[k] &= 0xffffffff;
    }
  }
  /// The nearest T, of two the even one; +0 for zero. With specials, what these give.
  TANDEM_HD T rounded(const Specials& specials) {
    constexpr T kInfinity = static_cast<T>(INFINITY);
    if (specials.seen == Specials::kPlus) return kInfinity;
    if (specials.seen == Specials::kMinus) return -kInfinity;
    if (specials.seen) return static_cast<T>(NAN);
    carry();
    const bool negative = limbs[kLimbs - 1] < 0;
    if (negative) {
      for (std::int64_t& limb : limbs) limb = -limb;
      carry();
    }
    int top = 32 * kLimbs;  // the bit behind the highest one
    while (top > 0 && limbs[top / 32 - 1] == 0) top -= 32;
    if (top == 0) return T(0);
    while (limbs[(top - 1) / 32] >> ((top - 1) % 32) == 0) --top;
    // Bit 1 is the smallest number above zero.
    const int last = top - 1 - FixedPoint<T>::kMantissa > 1 ? top - 1 - FixedPoint<T>::kMantissa : 1;
    std::uint64_t mantissa = bits_from(last);
    const bool half = bits_from(last - 1) & 1;
    bool more = limbs[(last - 1) / 32] & ((std::int64_t{1} << (last - 1) % 32) - 1);
    for (int k = 0; k < (last - 1) / 32; ++k) more |= limbs[k] != 0;
    if (half && (more || (mantissa & 1))) ++mantissa;
    const T size = std::ldexp(static_cast<T>(mantissa), last + FixedPoint<T>::kUnit);
    return negative ? -size : size;
  }

 private:
  /// 64 bits from bit i on.
  TANDEM_HD std::uint64_t bits_from(int i) const {
    const int k = i / 32, shift = i % 32;
    auto bits = static_cast<std::uint64_t>(limbs[k]) >> shift;
    if (k + 1 < kLimbs) bits |= static_cast<std::uint64_t>(limbs[k + 1]) << (32 - shift);
    if (k + 2 < kLimbs && shift > 0) bits |= static_cast<std::uint64_t>(limbs[k + 2]) << (64 - shift);
    return bits;
  }
};

}  // namespace tandem
