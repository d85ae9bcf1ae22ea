// half ↔ float: every half there and back, and the rounding of every float that lies near a tie.

#include "tandem/half.h"

#include <cmath>
#include <limits>

#include "tests/support.h"

namespace tandem {
namespace {

float from_bits(std::uint32_t word) {
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}
half from_half_bits(unsigned bits) {
  half h;
  h.bits = static_cast<std::uint16_t>(bits);
  return h;
}

// Rounding by its definition: to a multiple of the spacing at this magnitude, ties to even.
std::uint16_t reference(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  const double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude >= 65520) return sign | 0x7c00;
  const int exponent = std::max(magnitude == 0 ? -14 : std::ilogb(magnitude), -14);
  const double units = std::nearbyint(std::ldexp(magnitude, 10 - exponent));  // 1024 … 2048 where normal
  return static_cast<std::uint16_t>(sign | static_cast<int>(units + (exponent + 14) * 1024));
}

}  // namespace

TEST_SUITE_BEGIN("half");

TEST_CASE("every half becomes the right float and comes back") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const float value = from_half_bits(bits);
    const unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31 && mantissa) {
      wrong += !std::isnan(value) || half(value).bits != ((bits & 0x8000) | 0x7e00);
      continue;
    }
    const double want = exponent == 31 ? sign * std::numeric_limits<double>::infinity()
                        : exponent     ? sign * std::ldexp(1024.0 + mantissa, static_cast<int>(exponent) - 25)
                                       : sign * std::ldexp(mantissa, -24);
    wrong +=
        static_cast<double>(value) != want || std::signbit(value) != (sign < 0) || half(value).bits != bits;
  }
  CHECK(wrong == 0);
}

TEST_CASE("floats round to the nearest half, ties to even") {
  int wrong = 0;
  const auto check = [&](float value) {
    wrong += half(value).bits != reference(value);
#ifdef __FLT16_MAX__
    if (!std::isnan(value)) {
      const _Float16 compiler = static_cast<_Float16>(value);
      std::uint16_t bits;
      std::memcpy(&bits, &compiler, sizeof bits);
      wrong += half(value).bits != bits;
    }
#endif
  };
  // Around every half and around the middle between it and the next.
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const float low = from_half_bits(bits);
    const float high = bits + 1 == 0x7c00 ? 65536.0f : static_cast<float>(from_half_bits(bits + 1));
    for (const float center : {low, (low + high) / 2}) {
      for (const float value : {center, std::nextafter(center, -1.0f), std::nextafter(center, 1e6f)}) {
        check(value);
        check(-value);
      }
    }
  }
  // And a sample of all floats.
  for (std::uint64_t word = 0; word < (std::uint64_t{1} << 32); word += 1009) {
    check(from_bits(static_cast<std::uint32_t>(word)));
  }
  CHECK(wrong == 0);
}

TEST_CASE("edges") {
  CHECK(half(65519.99f).bits == 0x7bff);
  CHECK(half(65520.0f).bits == 0x7c00);
  CHECK(half(-1e30f).bits == 0xfc00);
  CHECK(half(0x1p-24f).bits == 1);
  CHECK(half(0x1p-25f).bits == 0);  // a tie, to even
  CHECK(half(0x1.8p-24f).bits == 2);
  CHECK(half(-0.0f).bits == 0x8000);
  CHECK(sizeof(half) == 2);
}

TEST_SUITE_END();

}  // namespace tandem
