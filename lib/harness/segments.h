#pragma once
// How long the segments of a test are.

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "lib/core/random_bits.h"

namespace tandem {

enum class Lengths : int {
  alike,         // all of one length
  uniform,       // up to twice the average, each length as likely
  ragged,        // as between points that are thrown at random: most are short, and some empty
  power_law,     // from a quarter of the average, the longer the rarer, to sixteen times it
  mostly_empty,  // of eight seven, with runs of hundreds
  empty_ends,    // the first third and the last
  skewed,        // one in the middle has half of all elements
  empty          // all
};
constexpr const char* kLengths[] = {"alike",        "uniform",    "ragged", "power law",
                                    "mostly empty", "empty ends", "skewed", "empty"};

/// Offsets from 0 on.
inline std::vector<std::int64_t> offsets_of(Lengths lengths, std::int64_t segments, std::int64_t length) {
  constexpr std::int64_t kGroup = 64;  // segments among which the elements are thrown
  const auto draw = [](std::int64_t s) { return random_bits(23, static_cast<std::uint64_t>(s)) >> 1; };
  std::vector<std::int64_t> offsets{0};
  offsets.reserve(static_cast<std::size_t>(segments) + 1);
  const auto add = [&](std::int64_t size) { offsets.push_back(offsets.back() + size); };
  const auto throw_in = [&](std::int64_t count, std::int64_t elements) {
    const std::int64_t begin = offsets.back();
    std::vector<std::int64_t> points;
    for (std::int64_t i = 1; i < count; ++i)
      points.push_back(begin +
                       static_cast<std::int64_t>(draw(begin + i) % static_cast<std::uint64_t>(elements + 1)));
    std::sort(points.begin(), points.end());
    offsets.insert(offsets.end(), points.begin(), points.end());
    offsets.push_back(begin + elements);
  };
  const auto ragged = [&](std::int64_t count, std::int64_t average) {
    for (std::int64_t s = 0; s < count; s += kGroup) {
      const std::int64_t group = std::min(kGroup, count - s);
      throw_in(group, group * average);
    }
  };
  switch (lengths) {
    case Lengths::ragged:
      ragged(segments, length);
      return offsets;
    case Lengths::skewed: {
      const std::int64_t before = segments / 2, rest = (length + 1) / 2;
      ragged(before, rest);
      add(segments * length - (segments - 1) * rest);
      ragged(segments - 1 - before, rest);
      return offsets;
    }
    default:
      break;
  }
  for (std::int64_t s = 0; s < segments; ++s) {
    const std::uint64_t bits = draw(s);
    switch (lengths) {
      case Lengths::uniform:
        add(static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(2 * length + 1)));
        break;
      case Lengths::power_law:
        add(length * 16 / static_cast<std::int64_t>(1 + bits % 64));
        break;
      case Lengths::mostly_empty:
        add(bits % 8 == 0 && s / 300 % 2 == 0 ? 8 * length : 0);
        break;
      case Lengths::empty_ends:
        add(s < segments / 3 || s >= segments - segments / 3 ? 0 : length);
        break;
      case Lengths::empty:
        add(0);
        break;
      default:
        add(length);
    }
  }
  return offsets;
}

struct SegmentSizes {
  std::int64_t elements = 0, longest = 0;
};
inline SegmentSizes sizes_of(const std::vector<std::int64_t>& offsets) {
  SegmentSizes sizes{offsets.back()};
  for (std::size_t s = 1; s < offsets.size(); ++s)
    sizes.longest = std::max(sizes.longest, offsets[s] - offsets[s - 1]);
  return sizes;
}
/// Of offsets_of(…), which are made once: all types and variants of an operation ask for the same.
inline SegmentSizes sizes_of(Lengths lengths, std::int64_t segments, std::int64_t length) {
  static std::mutex mutex;
  static std::map<std::tuple<Lengths, std::int64_t, std::int64_t>, SegmentSizes> made;
  const std::scoped_lock lock(mutex);
  const auto [at, is_new] = made.try_emplace({lengths, segments, length});
  if (is_new) at->second = sizes_of(offsets_of(lengths, segments, length));
  return at->second;
}

}  // namespace tandem
