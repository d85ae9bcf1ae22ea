#pragma once
// tandem::bfloat16: the upper half of an IEEE 754 binary32, as storage: a float's range with 8 significant bits.
// Like half: arithmetic happens in float, this type only converts, and host code needs no cuda_bf16.h.

#include <cstdint>
#include <cstring>

#include "tandem/export.h"
#include "tandem/narrow_limits.h"

namespace tandem {

struct bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;

  /// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN.
  TANDEM_HD explicit bfloat16(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#else
    // No branch, so that loops become vector code. A carry into the exponent is right, up to infinity.
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    const bool nan = (word & 0x7fffffffu) > 0x7f800000u;
    const std::uint32_t rounded = word + 0x7fffu + (word >> 16 & 1u);
    bits = static_cast<std::uint16_t>((nan ? (word & 0x80000000u) | 0x7fc00000u : rounded) >> 16);
#endif
  }

  /// Exact.
  TANDEM_HD operator float() const {
    const std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
};

}  // namespace tandem

template <>
struct std::numeric_limits<tandem::bfloat16> : tandem::detail::NarrowLimits<tandem::bfloat16, 8, 128> {};
