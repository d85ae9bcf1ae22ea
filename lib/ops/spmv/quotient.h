#pragma once
// Quotients of numbers that are mostly small.

#include <cstdint>

#include "tandem/export.h"

namespace tandem {

/// a / b of numbers that are not below 0. Where both have 32 bits it takes a GPU a third of the instructions.
TANDEM_HD inline std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

}  // namespace tandem
