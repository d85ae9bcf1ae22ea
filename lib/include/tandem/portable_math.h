#pragma once
// Functions whose results have the same bits on every place: they are made of IEEE 754's operations alone, each rounded
// by itself, where libraries' functions differ from one to the other. No product here enters a sum but by fused(), so
// that a compiler finds nothing to fuse, or what it would fuse is exact.

#include <cstdint>

#include "tandem/export.h"

// Compiled into their callers, which may be compiled for fused multiply-add where this file is not.
#define TANDEM_MATH TANDEM_HD inline __attribute__((always_inline))

namespace tandem::detail {

/// a · b + c, rounded once.
TANDEM_MATH float fused(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
TANDEM_MATH double fused(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}
TANDEM_MATH double square_root(double x) {
#ifdef __CUDA_ARCH__
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}

TANDEM_MATH double whole_part(double x) {
#ifdef __CUDA_ARCH__
  return floor(x);
#else
  return __builtin_floor(x);
#endif
}

TANDEM_MATH double magnitude(double x) {
#ifdef __CUDA_ARCH__
  return fabs(x);
#else
  return __builtin_fabs(x);
#endif
}

/// a / b, rounded to nearest, for b of at most 52 digits, where a, b and a / b are between 2^-500 and 2^500: a reciprocal refined by
/// Newton's steps, as a compiler divides, but without its questions whether they are.
TANDEM_MATH double quotient(double a, double b) {
#ifdef __CUDA_ARCH__
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));  // to 20 digits
  const double off = fused(-b, r, 1);
  r = fused(r, fused(off, off, off), r);
  r = fused(r, fused(-b, r, 1), r);
  const double q = a * r;
  return fused(r, fused(-b, q, a), q);
#else
  return a / b;
#endif
}

template <class To, class From>
TANDEM_MATH To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

/// Rounded to nearest, by operations that vector units have.
TANDEM_MATH double to_double(std::uint64_t whole) {
  const double high = same_bits<double>(0x4330000000000000 | whole >> 32) - 0x1p52;
  const double low = same_bits<double>(0x4330000000000000 | (whole & 0xffffffff)) - 0x1p52;
  return fused(high, 0x1p32, low);
}

/// word / 2^64 rounded down to 53 digits, plus `above`, rounded once; for −0.5 and 2^-54, whose sums with 2^-53 are exact.
TANDEM_MATH double fraction_plus(std::uint64_t word, double above) {
  const double first_digits = same_bits<double>(0x3FF0000000000000 + (word >> 12)) - 1;
  return first_digits + (word & 0x800 ? above + 0x1p-53 : above);
}

/// By Horner's rule.
template <class T, int kTerms>
TANDEM_MATH T polynomial(const T (&highest_first)[kTerms], T x) {
  T sum = highest_first[0];
  TANDEM_UNROLL
  for (int i = 1; i < kTerms; ++i) sum = fused(sum, x, highest_first[i]);
  return sum;
}

/// e^x to within 2^-52, or 2^-23, of its value, where that is normal; 0 or ∞ where it leaves the type. Takes no NaN.
TANDEM_MATH double exponential(double x) {
  constexpr double kLog2e = 0x1.71547652b82fep+0, kLn2 = 0x1.62e42fefa39efp-1,
                   kLn2Rest = 0x1.abc9e3b39803fp-56;
  constexpr double kMagic = 0x1.8p52;  // what is added to it is rounded to an integer
  constexpr double highest_first[] = {
      1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1,           1};
  x = x < -800 ? -800 : x > 800 ? 800 : x;
  const double shifted = fused(x, kLog2e, kMagic), power = shifted - kMagic;
  const double rest = fused(-power, kLn2Rest, fused(-power, kLn2, x));
  // Two factors, since one power of two might be none of a double.
  const std::int64_t whole = same_bits<std::int64_t>(shifted) - same_bits<std::int64_t>(kMagic),
                     half = whole >> 1;
  const auto power_of_two = [](std::int64_t e) { return same_bits<double>((e + 1023) << 52); };
  return polynomial(highest_first, rest) * power_of_two(half) * power_of_two(whole - half);
}
TANDEM_MATH float exponential(float x) {
  constexpr float kLog2e = 0x1.715476p+0f, kLn2 = 0x1.62e430p-1f, kLn2Rest = -0x1.05c610p-29f,
                  kMagic = 0x1.8p23f;
  constexpr float highest_first[] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1, 1};
  x = x < -110 ? -110 : x > 110 ? 110 : x;
  const float shifted = fused(x, kLog2e, kMagic), power = shifted - kMagic;
  const float rest = fused(-power, kLn2Rest, fused(-power, kLn2, x));
  const std::int32_t whole = same_bits<std::int32_t>(shifted) - same_bits<std::int32_t>(kMagic),
                     half = whole >> 1;
  const auto power_of_two = [](std::int32_t e) { return same_bits<float>((e + 127) << 23); };
  return polynomial(highest_first, rest) * power_of_two(half) * power_of_two(whole - half);
}

/// ln x of a normal number above zero, to within 2^-51 of its value.
TANDEM_MATH double logarithm(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn2Rest = 0x1.abc9e3b39803fp-56;
  // ln m = 2 (s + s³/3 + s⁵/5 + …), s = (m − 1) / (m + 1), at most 0.172
  constexpr double highest_first[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                                      2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};
  constexpr std::int64_t kRootOfHalf = 0x3FE6A09E00000000;  // exponents are counted from this mantissa on
  const auto bits = same_bits<std::int64_t>(x);
  const std::int64_t exponent = (bits - kRootOfHalf) >> 52;
  const double m = same_bits<double>(bits - (exponent << 52));
  const double power = same_bits<double>(0x4338000000000000 + exponent) - 0x1.8p52;
  const double s = (m - 1) / (m + 1), square = s * s, cube = s * square;
  const double log_m = fused(cube, polynomial(highest_first, square), s + s);
  return fused(power, kLn2, fused(power, kLn2Rest, log_m));
}

}  // namespace tandem::detail
