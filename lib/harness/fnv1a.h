#pragma once
// FNV-1a hash of ranges of numbers, to compare results by.

#include <cstdint>

namespace tandem {

/// FNV-1a over the numbers of all ranges in turn, each as a 64-bit word instead of bytes.
template <class... Ranges>
std::uint64_t fnv1a(const Ranges&... ranges) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  const auto add = [&](const auto& range) {
    for (const std::uint64_t number : range) hash = (hash ^ number) * 0x100000001B3u;
  };
  (add(ranges), ...);
  return hash;
}

}  // namespace tandem
