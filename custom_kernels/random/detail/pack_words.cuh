#pragma once
// Called by a thread: the words of the numbers that it stores at once.

#include "lib/ops/random/contract.h"
#include "tandem/device/vector_access.cuh"

namespace tandem {

/// words[k] = the word of number i + k. Numbers that do not begin where a counter does take one counter more, and its
/// words move up; where they begin in a counter is the same for all threads.
template <int kCount, class Word>
__device__ void pack_words(const Philox& philox, std::uint64_t i, Word (&words)[kCount]) {
  constexpr int kOfCounter = 16 / sizeof(Word), kHalves = kCount * sizeof(Word) / 4;
  const std::uint64_t counter = i / kOfCounter;
  const int skipped = static_cast<int>(i % kOfCounter) * (sizeof(Word) / 4);
  std::uint32_t w[kHalves + 4];
  const auto put = [&](int c) {
    const Philox::Words four = philox(counter + c);
#pragma unroll
    for (int k = 0; k < 4; ++k) w[4 * c + k] = four.w[k];
  };
#pragma unroll
  for (int c = 0; c < kHalves / 4; ++c) put(c);
  if (skipped > 0) {
    put(kHalves / 4);
#pragma unroll
    for (int k = 0; k < kHalves + 2; ++k) w[k] = skipped & 2 ? w[k + 2] : w[k];
#pragma unroll
    for (int k = 0; k < kHalves; ++k) w[k] = skipped & 1 ? w[k + 1] : w[k];
  }
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    if constexpr (sizeof(Word) == 4)
      words[k] = w[k];
    else
      words[k] = Philox::pair(w[2 * k], w[2 * k + 1]);
  }
}

/// Of points of one coordinate each is the one before, changed by one direction.
template <int kCount, class Word>
__device__ void pack_words(const Sobol& sobol, std::uint64_t i, Word (&words)[kCount]) {
  if (sobol.dimensions() > 1) {
    for (int k = 0; k < kCount; ++k) words[k] = sobol.word<Word>(i + k);
    return;
  }
  Word x = Sobol::coordinate<Word>(i, 0);
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    words[k] = sobol.scrambled(x, 0);
    x ^= detail::sobol_directions<Word>().of[0][detail::direction_to(i + k + 1)];
  }
}

}  // namespace tandem
