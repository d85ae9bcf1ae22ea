#pragma once
// tandem::half: IEEE 754 binary16 as storage. Arithmetic happens in float; this type only converts. Written
// here rather than taken from cuda_fp16.h so that host code needs no CUDA header.

#include <cstdint>
#include <cstring>

#include "tandem/export.h"
#include "tandem/narrow_limits.h"

namespace tandem {

struct half {
  std::uint16_t bits;

  half() = default;

  /// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN.
  TANDEM_HD explicit half(float value) {
#ifdef __CUDA_ARCH__
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#else
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    const std::uint32_t sign = (word >> 16) & 0x8000u;
    const std::uint32_t magnitude = word & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
      bits = static_cast<std::uint16_t>(sign | 0x7e00u);
    } else if (magnitude >= 0x477ff000u) {  // 65520 and above round to infinity
      bits = static_cast<std::uint16_t>(sign | 0x7c00u);
    } else if (magnitude <
               0x38800000u) {  // below 2^-14: a subnormal; adding 0.5 aligns and rounds its last bit
      float aligned;
      std::memcpy(&aligned, &magnitude, sizeof aligned);
      aligned += 0.5f;
      std::memcpy(&word, &aligned, sizeof word);
      bits = static_cast<std::uint16_t>(sign | (word - 0x3f000000u));
    } else {
      const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
      bits = static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
    }
#endif
  }

  /// Exact.
  TANDEM_HD operator float() const {
    float value;
#ifdef __CUDA_ARCH__
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
#else
    // No branch, so that loops over halves become vector code.
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7fffu;
    std::uint32_t word = magnitude << 13;
    std::memcpy(&value, &word, sizeof value);
    value *= 0x1p112f;  // from one exponent bias to the other; subnormal halves become normal floats, exactly
    std::memcpy(&word, &value, sizeof value);
    word |= sign | (magnitude >= 0x7c00u ? 0x7f800000u : 0u);  // infinity and NaN keep their exponent
    std::memcpy(&value, &word, sizeof value);
#endif
    return value;
  }
};

}  // namespace tandem

template <>
struct std::numeric_limits<tandem::half> : tandem::detail::NarrowLimits<tandem::half, 11, 16> {};
