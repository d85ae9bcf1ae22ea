#pragma once
// The one source of random numbers: test data and the schedules of the executor.

#include <cstdint>

namespace tandem {

/// splitmix64 (Steele, Lea, Flood 2014): a good 64-bit hash of (seed, i).
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15u + (i + 1) * 0xD1B54A32D192ED03u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace tandem
