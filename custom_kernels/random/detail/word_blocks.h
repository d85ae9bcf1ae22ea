#pragma once
// Words for many numbers at once, in loops that compilers turn into vector instructions.

#include <algorithm>
#include <cstdint>

#include "tandem/philox.h"
#include "tandem/sobol.h"

namespace tandem {

inline constexpr int kCounterLanes = 8;  // counters that go through their rounds side by side
inline constexpr int kWordBlock = 1024;  // numbers whose words are made before the distribution takes them

/// Room for the words of a block, and those of its first and last counters that others take.
template <class Word>
struct WordBlock {
  static constexpr int kOfCounter = 16 / sizeof(Word);
  alignas(64) Word words[kWordBlock + kOfCounter * (kCounterLanes + 1)];
};

/// out[4k … 4k + 4) = the words of counter first + k, for `counters` of them, rounded up to a multiple of kCounterLanes.
inline __attribute__((always_inline)) void philox_counters(std::uint64_t seed, std::uint64_t first,
                                                           int counters, std::uint32_t* out) {
  for (int k = 0; k < counters; k += kCounterLanes) {
    std::uint32_t x0[kCounterLanes], x1[kCounterLanes], x2[kCounterLanes] = {}, x3[kCounterLanes] = {};
    for (int lane = 0; lane < kCounterLanes; ++lane) {
      const std::uint64_t counter = first + static_cast<std::uint64_t>(k + lane);
      x0[lane] = static_cast<std::uint32_t>(counter);
      x1[lane] = static_cast<std::uint32_t>(counter >> 32);
    }
    auto key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < Philox::kRounds; ++round) {
      for (int lane = 0; lane < kCounterLanes; ++lane) {
        const std::uint64_t a = std::uint64_t{Philox::kMultiplier0} * x0[lane];
        const std::uint64_t b = std::uint64_t{Philox::kMultiplier1} * x2[lane];
        x0[lane] = static_cast<std::uint32_t>(b >> 32) ^ x1[lane] ^ key0;
        x1[lane] = static_cast<std::uint32_t>(b);
        x2[lane] = static_cast<std::uint32_t>(a >> 32) ^ x3[lane] ^ key1;
        x3[lane] = static_cast<std::uint32_t>(a);
      }
      key0 += Philox::kWeyl0;
      key1 += Philox::kWeyl1;
    }
    for (int lane = 0; lane < kCounterLanes; ++lane) {
      std::uint32_t* const four = out + 4 * (k + lane);
      four[0] = x0[lane], four[1] = x1[lane], four[2] = x2[lane], four[3] = x3[lane];
    }
  }
}

/// The words of `count` numbers, at most kWordBlock, from number i on.
template <class Word>
inline __attribute__((always_inline)) const Word* make_words(const Philox& philox, std::uint64_t i, int count,
                                                             WordBlock<Word>& block) {
  constexpr int kOfCounter = WordBlock<Word>::kOfCounter;
  const auto skipped = static_cast<int>(i % kOfCounter);
  const int counters = (skipped + count + kOfCounter - 1) / kOfCounter;
  if constexpr (sizeof(Word) == 4) {
    philox_counters(philox.seed(), i / kOfCounter, counters, block.words);
  } else {
    alignas(64) std::uint32_t halves[2 * sizeof block.words / sizeof *block.words];
    philox_counters(philox.seed(), i / kOfCounter, counters, halves);
    for (int k = 0; k < skipped + count; ++k) block.words[k] = Philox::pair(halves[2 * k], halves[2 * k + 1]);
  }
  return block.words + skipped;
}

/// By Gray's code: from one point to the next each coordinate changes by one direction.
template <class Word>
const Word* make_words(const Sobol& sobol, std::uint64_t i, int count, WordBlock<Word>& block) {
  const auto dimensions = static_cast<std::uint64_t>(sobol.dimensions());
  for (int d = 0; d < sobol.dimensions() && d < count; ++d) {
    const auto dimension = static_cast<int>((i + static_cast<std::uint64_t>(d)) % dimensions);
    std::uint64_t point = (i + static_cast<std::uint64_t>(d)) / dimensions;
    Word x = Sobol::coordinate<Word>(point, dimension);
    const Word* direction = detail::sobol_directions<Word>().of[dimension];
    for (int k = d; k < count; k += sobol.dimensions()) {
      block.words[k] = sobol.scrambled(x, dimension);
      x ^= direction[detail::direction_to(++point)];
    }
  }
  return block.words;
}

}  // namespace tandem
