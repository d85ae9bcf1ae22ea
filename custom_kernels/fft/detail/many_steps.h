#pragma once
// What a loop by the definition does not take, because nobody would wait for it.

#include <algorithm>
#include <cstdint>
#include <string>

namespace tandem {

/// Why it does not take so many steps, one for each number of a row and each of its results; empty where it does: some ten
/// seconds.
inline std::string refuse_many_steps(double steps) {
  constexpr double kMost = std::int64_t{1} << 32;
  if (steps <= kMost) return "";
  return "would take " + std::to_string(static_cast<std::int64_t>(std::min(steps, 9e18))) +
         " steps by the definition; it takes up to 2^32";
}

}  // namespace tandem
