#pragma once
// Keys of tests: of sort and of top_k.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "lib/core/random_bits.h"
#include "lib/ops/sort/contract.h"

namespace tandem {

/// What keys look like.
enum class SortKeys : std::uint8_t {
  random,         // any bits at all but NaN
  few,            // four different keys
  equal,          // one
  sorted,         // with keys that are equal
  reversed,       // the same, falling
  nearly_sorted,  // sorted but for one key in sixteen
  low_bits,       // differ in the lowest byte alone
  high_bits,      // differ in the highest byte alone
  close,          // as measured: around 1, so that few of the first bits differ
  special,  // half of them NaN of any sign and payload, ±0, ±∞; of integers, the ends of the range and around zero
};
constexpr const char* kSortKeys[] = {"random",        "few",      "equal",     "sorted", "reversed",
                                     "nearly_sorted", "low_bits", "high_bits", "close",  "special"};

/// Arrays of the coverage `huge`: different keys of 32 bits, past 2^31; past 2^32 of them with many equal, of which all have the
/// same highest digit; past 2^32 bytes of wider ones.
struct HugeKeys {
  std::int64_t n, repeats;  // so many equal keys each
};
inline std::vector<HugeKeys> huge_keys(bool wide) {
  constexpr std::int64_t kOne = 1, kRepeats = 509, kLines = (kOne << 32) / kRepeats + 1;
  if (wide) return {{(kOne << 29) + 5, 1}};
  return {{(kOne << 31) + 3, 1}, {kLines * kRepeats, kRepeats}};
}

template <class T>
using SortKeyBits = typename Sort::Case<T>::Key;

/// By which libraries order NaNs, as if they were numbers.
template <class Key>
constexpr Key code_of_bits(Key key) {
  constexpr Key kSign = Key(1) << (8 * sizeof(Key) - 1);
  return key == kSign ? kSign : static_cast<Key>(key & kSign ? ~key : key | kSign);
}

/// Any number but NaN.
template <class T>
T any_number(std::uint64_t bits) {
  const T value = std::bit_cast<T>(static_cast<SortKeyBits<T>>(bits));
  if constexpr (TypeTraits<T>::floating) {
    if (value != value) return static_cast<T>(static_cast<std::int64_t>(bits));
  }
  return value;
}

template <class T>
T special_key(std::uint64_t bits) {
  using Key = SortKeyBits<T>;
  const auto kind = bits % 8;
  const Key word = static_cast<Key>(bits >> 3);
  if constexpr (TypeTraits<T>::floating) {
    const T infinity = std::numeric_limits<T>::infinity();
    if (kind < 2) return std::bit_cast<T>(static_cast<Key>(word | std::bit_cast<Key>(infinity) | 1));
    if (kind < 4) return kind == 2 ? T(0) : T(-T(0));
    if (kind == 4) return bits & 8 ? infinity : T(-infinity);
  } else {
    if (kind == 0) return std::numeric_limits<T>::lowest();
    if (kind == 1) return std::numeric_limits<T>::max();
    if (kind < 5) return static_cast<T>(static_cast<T>(bits % 5) - 2);
  }
  return any_number<T>(bits * 0x9E3779B97F4A7C15u);
}

/// Key i of n.
template <class T>
T sort_key(SortKeys keys, std::uint64_t seed, std::int64_t i, std::int64_t n) {
  using Key = SortKeyBits<T>;
  const std::uint64_t bits = random_bits(seed, static_cast<std::uint64_t>(i));
  constexpr Key kAll = KeyOrder<Key>::kAll;
  const auto some = static_cast<Key>(random_bits(seed, ~std::uint64_t{0}));
  const auto rising = [&](std::int64_t j) { return static_cast<T>(j / 3 - n / 6); };
  switch (keys) {
    case SortKeys::few:
      return any_number<T>(random_bits(seed, bits % 4));
    case SortKeys::equal:
      return any_number<T>(some);
    case SortKeys::sorted:
      return rising(i);
    case SortKeys::reversed:
      return rising(n - i);
    case SortKeys::nearly_sorted:
      return bits % 16 == 0 ? any_number<T>(bits) : rising(i);
    case SortKeys::low_bits:
      return any_number<T>(static_cast<Key>(some & ~Key(0xFF)) | (bits & 0xFF));
    case SortKeys::high_bits:
      return any_number<T>((some & (kAll >> 8)) | static_cast<Key>(bits) << (8 * sizeof(Key) - 8));
    case SortKeys::close:
      return static_cast<T>(1 + static_cast<double>(bits >> 40) * 0x1p-24 *
                                    (TypeTraits<T>::floating ? 1
                                     : sizeof(T) == 1        ? 100
                                                             : 1000));
    case SortKeys::special:
      return special_key<T>(bits);
    default:
      return any_number<T>(bits);
  }
}

template <class T>
void fill_sort_keys(std::vector<T>& out, SortKeys keys, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(out.size());
#pragma omp parallel for schedule(static) if (n > 65536)
  for (std::int64_t i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = sort_key<T>(keys, seed, i, n);
}

}  // namespace tandem
