#pragma once
// What std::numeric_limits says of floating-point numbers of 16 bits: it follows from how many of them are
// significant and from the largest exponent.

#include <bit>
#include <cstdint>
#include <limits>

namespace tandem::detail {

template <class T, int kDigits, int kMaxExponent>
struct NarrowLimits {
 private:
  static constexpr int kBias = kMaxExponent - 1, kFraction = kDigits - 1;
  static constexpr int kInfinity = (2 * kBias + 1) << kFraction;
  static constexpr T of_bits(int bits) { return std::bit_cast<T>(static_cast<std::uint16_t>(bits)); }
  static constexpr T power_of_two(int exponent) { return of_bits((exponent + kBias) << kFraction); }
  // log10(2) is between these over 1000; with so few bits the roundings below are right.
  static constexpr int kLog = 301, kLogUp = 302;

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr bool traps = false, tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static constexpr int radix = 2, digits = kDigits;
  static constexpr int digits10 = kFraction * kLog / 1000, max_digits10 = (kDigits * kLogUp + 999) / 1000 + 1;
  static constexpr int min_exponent = 3 - kMaxExponent, max_exponent = kMaxExponent;
  static constexpr int min_exponent10 = (min_exponent - 1) * kLog / 1000;
  static constexpr int max_exponent10 = max_exponent * kLog / 1000;

  static constexpr T min() noexcept { return power_of_two(min_exponent - 1); }
  static constexpr T max() noexcept { return of_bits(kInfinity - 1); }
  static constexpr T lowest() noexcept { return of_bits(0x8000 | (kInfinity - 1)); }
  static constexpr T epsilon() noexcept { return power_of_two(1 - kDigits); }
  static constexpr T round_error() noexcept { return power_of_two(-1); }
  static constexpr T infinity() noexcept { return of_bits(kInfinity); }
  static constexpr T quiet_NaN() noexcept { return of_bits(kInfinity | 1 << (kFraction - 1)); }
  static constexpr T signaling_NaN() noexcept { return of_bits(kInfinity | 1 << (kFraction - 2)); }
  static constexpr T denorm_min() noexcept { return of_bits(1); }
};

}  // namespace tandem::detail
