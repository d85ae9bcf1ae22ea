#pragma once
// Philox4x32-10: random words that a seed and a number say, in any order, on any place.

#include <cstdint>

#include "tandem/export.h"

namespace tandem {

/// What 128 bits of a counter become under a key of 64: ten rounds of two products each. The words of different counters
/// pass for independent; those of one counter are always the same, so nothing is kept, and to skip ahead costs nothing.
///
///   const tandem::Philox philox(7);
///   philox.word<std::uint32_t>(i)   // word i of the sequence of seed 7, on the CPU or in a kernel
///
/// Source:  Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3".
class Philox {
 public:
  static constexpr int kRounds = 10;
  static constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  static constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;  // the golden ratio, √3 − 1

  /// Four words of one counter.
  struct Words {
    std::uint32_t w[4];
  };

  /// The key: its low half is the seed's low half.
  TANDEM_HD constexpr explicit Philox(std::uint64_t seed = 0)
      : low_(static_cast<std::uint32_t>(seed)), high_(static_cast<std::uint32_t>(seed >> 32)) {}

  TANDEM_HD constexpr std::uint64_t seed() const { return pair(low_, high_); }

  /// The keys of all rounds. Where they lie in constant memory, as a kernel's arguments do, a loop need not make them.
  struct RoundKeys {
    struct {
      std::uint32_t low, high;
    } keys[kRounds];

    /// The words of counter low + 2^64 · high.
    TANDEM_HD constexpr Words operator()(std::uint64_t low, std::uint64_t high = 0) const {
      std::uint32_t x0 = static_cast<std::uint32_t>(low), x1 = static_cast<std::uint32_t>(low >> 32);
      std::uint32_t x2 = static_cast<std::uint32_t>(high), x3 = static_cast<std::uint32_t>(high >> 32);
      TANDEM_UNROLL
      for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t a = std::uint64_t{kMultiplier0} * x0, b = std::uint64_t{kMultiplier1} * x2;
        x0 = static_cast<std::uint32_t>(b >> 32) ^ x1 ^ keys[round].low;
        x1 = static_cast<std::uint32_t>(b);
        x2 = static_cast<std::uint32_t>(a >> 32) ^ x3 ^ keys[round].high;
        x3 = static_cast<std::uint32_t>(a);
      }
      return {{x0, x1, x2, x3}};
    }
  };
  TANDEM_HD constexpr RoundKeys round_keys() const {
    RoundKeys all{};
    TANDEM_UNROLL
    for (std::uint32_t round = 0; round < kRounds; ++round)
      all.keys[round] = {low_ + round * kWeyl0, high_ + round * kWeyl1};
    return all;
  }

  /// The words of counter low + 2^64 · high.
  TANDEM_HD constexpr Words operator()(std::uint64_t low, std::uint64_t high = 0) const {
    return round_keys()(low, high);
  }

  /// Word `i` of the sequence, of 32 or 64 bits. A word of 32 bits is word i mod 4 of counter ⌊i / 4⌋; one of 64 bits is
  /// made of the first two words, for even i, or the last two of counter ⌊i / 2⌋, the low half first.
  template <class Word>
  TANDEM_HD constexpr Word word(std::uint64_t i) const {
    static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);
    if constexpr (sizeof(Word) == 4) {
      const Words all = (*this)(i / 4);
      const std::uint32_t even = i & 2 ? all.w[2] : all.w[0], odd = i & 2 ? all.w[3] : all.w[1];
      return i & 1 ? odd : even;
    } else {
      const Words all = (*this)(i / 2);
      return i & 1 ? pair(all.w[2], all.w[3]) : pair(all.w[0], all.w[1]);
    }
  }

  static TANDEM_HD constexpr std::uint64_t pair(std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{high} << 32 | low;
  }

 private:
  std::uint32_t low_, high_;
};

}  // namespace tandem
