#pragma once
// Ways in which a whole can be shared out over ranks, even and uneven ones.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tandem {

enum class Shares : std::uint8_t {
  even,
  growing,  // a rank has more than the one before
  one,      // one rank has all
  pairs,    // every other rank has nothing
  ones      // one element each, the rest to the last
};
inline constexpr Shares kShares[] = {Shares::even, Shares::growing, Shares::one, Shares::pairs, Shares::ones};
constexpr std::string_view name(Shares shares) {
  constexpr std::string_view kNames[] = {"even", "growing", "one", "pairs", "ones"};
  return kNames[static_cast<int>(shares)];
}

/// Where the part of each of so many ranks begins in n elements, and where the last one ends.
inline std::vector<std::int64_t> share_out(Shares shares, std::int64_t n, int ranks) {
  std::vector<std::int64_t> begins;
  for (int r = 0; r < ranks; ++r) {
    switch (shares) {
      case Shares::even:
        begins.push_back(n * r / ranks);
        break;
      case Shares::growing:
        begins.push_back(n * r * r / (ranks * ranks));
        break;
      case Shares::one:
        begins.push_back(r <= ranks / 2 ? 0 : n);
        break;
      case Shares::pairs:
        begins.push_back(n * ((r + 1) / 2) / ranks);
        break;
      case Shares::ones:
        begins.push_back(std::min<std::int64_t>(r, n));
        break;
    }
  }
  begins.push_back(n);
  return begins;
}

}  // namespace tandem
