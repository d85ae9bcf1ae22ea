// half and bfloat16 ↔ float: every number there and back, the rounding of every float that lies near a tie, and what
// std::numeric_limits says of them.

#include "tandem/half.h"

#include <cmath>
#include <limits>

#include "tandem/bfloat16.h"
#include "tests/support.h"

namespace tandem {
namespace {

/// IEEE 754's parameters of a format of 16 bits.
template <class T>
struct Format;
template <>
struct Format<half> {
  static constexpr int kFraction = 10, kMaxExponent = 15;
};
template <>
struct Format<bfloat16> {
  static constexpr int kFraction = 7, kMaxExponent = 127;
};

template <class T, class Word>
T from_bits(Word word) {
  static_assert(sizeof(T) == sizeof(Word));
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}
template <class T>
T from_16_bits(unsigned bits) {
  return from_bits<T>(static_cast<std::uint16_t>(bits));
}
template <class T>
constexpr unsigned kInfinity = (2 * Format<T>::kMaxExponent + 1) << Format<T>::kFraction;
template <class T>
constexpr unsigned kNan = kInfinity<T> | 1u << (Format<T>::kFraction - 1);

// Rounding by its definition: to a multiple of the spacing at this magnitude, ties to even.
template <class T>
std::uint16_t reference(float value) {
  constexpr int kFraction = Format<T>::kFraction, kLeast = 1 - Format<T>::kMaxExponent;
  const unsigned sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | kNan<T>);
  const double magnitude = std::fabs(static_cast<double>(value));
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | kInfinity<T>);
  const int exponent = std::max(magnitude == 0 ? kLeast : std::ilogb(magnitude), kLeast);
  const double units =
      std::nearbyint(std::ldexp(magnitude, kFraction - exponent));  // 2^f … 2^(f+1) where normal
  const double bits = units + std::ldexp(exponent - kLeast, kFraction);
  return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::fmin(bits, kInfinity<T>)));
}

}  // namespace

TEST_SUITE_BEGIN("half");

TEST_CASE_TEMPLATE("every number of 16 bits becomes the right float and comes back", T, half, bfloat16) {
  constexpr int kFraction = Format<T>::kFraction, kMaxExponent = Format<T>::kMaxExponent;
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const float value = from_16_bits<T>(bits);
    const int exponent = static_cast<int>(bits & 0x7fff) >> kFraction;
    const unsigned fraction = bits & ((1u << kFraction) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 2 * kMaxExponent + 1 && fraction) {
      wrong += !std::isnan(value) || T(value).bits != ((bits & 0x8000) | kNan<T>);
      continue;
    }
    const double want =
        exponent == 2 * kMaxExponent + 1 ? sign * std::numeric_limits<double>::infinity()
        : exponent ? sign * std::ldexp((1u << kFraction) + fraction, exponent - kMaxExponent - kFraction)
                   : sign * std::ldexp(fraction, 1 - kMaxExponent - kFraction);
    wrong += static_cast<double>(value) != want || std::signbit(value) != (sign < 0) || T(value).bits != bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("floats round to the nearest number, ties to even", T, half, bfloat16) {
  int wrong = 0;
  const auto check = [&](float value) {
    wrong += T(value).bits != reference<T>(value);
#ifdef __FLT16_MAX__
    if (std::is_same_v<T, half> && !std::isnan(value))
      wrong += T(value).bits != from_bits<std::uint16_t>(static_cast<_Float16>(value));
#endif
  };
  // Around every number and around the middle between it and the next; infinity takes the place of the next power.
  for (unsigned bits = 0; bits < kInfinity<T>; ++bits) {
    const double low = from_16_bits<T>(bits);
    const double high = bits + 1 == kInfinity<T> ? std::ldexp(1.0, Format<T>::kMaxExponent + 1)
                                                 : static_cast<double>(from_16_bits<T>(bits + 1));
    for (const double exact : {low, (low + high) / 2}) {
      const auto centre = static_cast<float>(exact);
      for (const float value : {centre, std::nextafter(centre, -1.0f), std::nextafter(centre, INFINITY)}) {
        check(value);
        check(-value);
      }
    }
  }
  // And a sample of all floats.
  for (std::uint64_t word = 0; word < (std::uint64_t{1} << 32); word += 1009)
    check(from_bits<float>(static_cast<std::uint32_t>(word)));
  CHECK(wrong == 0);
}

TEST_CASE("edges of half") {
  CHECK(half(65519.99f).bits == 0x7bff);
  CHECK(half(65520.0f).bits == 0x7c00);
  CHECK(half(-1e30f).bits == 0xfc00);
  CHECK(half(0x1p-24f).bits == 1);
  CHECK(half(0x1p-25f).bits == 0);  // a tie, to even
  CHECK(half(0x1.8p-24f).bits == 2);
  CHECK(half(-0.0f).bits == 0x8000);
  CHECK(sizeof(half) == 2);
}

TEST_CASE("edges of bfloat16") {
  CHECK(bfloat16(0x1.fe8p127f).bits == 0x7f7f);
  CHECK(bfloat16(0x1.ffp127f).bits == 0x7f80);  // a tie, to even
  CHECK(bfloat16(-0x1.fffffep127f).bits == 0xff80);
  CHECK(bfloat16(0x1p-133f).bits == 1);
  CHECK(bfloat16(0x1p-134f).bits == 0);  // a tie, to even
  CHECK(bfloat16(0x1.8p-133f).bits == 2);
  CHECK(bfloat16(-0.0f).bits == 0x8000);
  CHECK(bfloat16(from_bits<float>(0x7f800001u)).bits == 0x7fc0);  // a NaN whose payload is cut off
  CHECK(bfloat16(from_bits<float>(0xffffffffu)).bits == 0xffc0);
  CHECK(sizeof(bfloat16) == 2);
}

TEST_CASE_TEMPLATE("numeric_limits", T, half, bfloat16) {
  using Limits = std::numeric_limits<T>;
  constexpr int kFraction = Format<T>::kFraction, kMaxExponent = Format<T>::kMaxExponent;
  static_assert(Limits::is_specialized && Limits::has_infinity && Limits::has_quiet_NaN &&
                !Limits::is_integer);
  CHECK(Limits::digits == kFraction + 1);
  CHECK(Limits::max_exponent == kMaxExponent + 1);
  CHECK(Limits::min_exponent == 2 - kMaxExponent);
  CHECK(Limits::min() == std::ldexp(1.0f, 1 - kMaxExponent));
  CHECK(Limits::max() == std::ldexp(2 - std::ldexp(1.0f, -kFraction), kMaxExponent));
  CHECK(Limits::lowest() == -Limits::max());
  CHECK(Limits::epsilon() == std::ldexp(1.0f, -kFraction));
  CHECK(Limits::round_error() == 0.5f);
  CHECK(Limits::denorm_min() == std::ldexp(1.0f, 1 - kMaxExponent - kFraction));
  CHECK(Limits::infinity() == INFINITY);
  CHECK(std::isnan(Limits::quiet_NaN()));
  CHECK(std::isnan(Limits::signaling_NaN()));
  // As <limits> defines them.
  CHECK(Limits::digits10 == static_cast<int>(std::floor(kFraction * std::log10(2.0))));
  CHECK(Limits::max_digits10 == static_cast<int>(std::ceil(1 + Limits::digits * std::log10(2.0))));
  CHECK(Limits::min_exponent10 ==
        static_cast<int>(std::ceil(std::log10(static_cast<double>(Limits::min())))));
  CHECK(Limits::max_exponent10 ==
        static_cast<int>(std::floor(std::log10(static_cast<double>(Limits::max())))));
}

TEST_SUITE_END();

}  // namespace tandem
