// Idea:    eight counters go through their rounds side by side, in the lanes of vectors; then the
//          distribution takes a block of words, in a loop of its own.
// New:     against threads, all four words of a counter are used, and both loops are made of vector
//          instructions: the rounds of integers' products, the distribution of fused multiply-adds, without a
//          branch. Sobol's points come by Gray's code, one exclusive or for each coordinate.
// Expect:  of uniform floats some 5 instructions for a word on AVX2, whose vectors multiply four numbers at
//          once; normal floats take four loads for their cubic, too.
// Limits:  compiled for AVX2 where the processor has it; log-normal doubles and Poisson numbers are made one
//          by one.
// Source:  Salmon and others 2011, section 5; Fog, "Optimizing software in C++", section 12, on automatic
//          vectorisation.

#include "custom_kernels/random/detail/word_blocks.h"
#include "lib/core/target_clones.h"
#include "lib/core/workers.h"
#include "lib/ops/random/contract.h"

namespace tandem {
namespace {

constexpr std::int64_t kFewest = 32;             // of Philox: below this a plain loop is as fast
constexpr std::int64_t kPiece = 8 * kWordBlock;  // numbers that a thread takes at once
constexpr std::int64_t kAlone = 1 << 15;         // up to so many the calling thread makes by itself

template <class T, class Word, class Distribution>
inline __attribute__((always_inline)) void distribute(const Distribution& distribution,
                                                      const Word* __restrict words, int count,
                                                      T* __restrict out) {
  for (int k = 0; k < count; ++k) out[k] = distribution(words[k]);
}
/// Of doubles first all as if they were in the center, by vectors; then those again that are not.
template <class Word>
inline __attribute__((always_inline)) void distribute(const Normal<double>& normal,
                                                      const Word* __restrict words, int count,
                                                      double* __restrict out) {
  constexpr Word kTail = Word{1} << 53;  // the center begins at 2^63 · 9.7e-4
  for (int k = 0; k < count; ++k) {
    out[k] = normal.from(detail::normal_quantile(
        words[k], [](double minus_log) { return detail::normal_center(minus_log - 3.125); }));
  }
  for (int k = 0; k < count; ++k) {
    if (words[k] + kTail < 2 * kTail) out[k] = normal(words[k]);  // modulo 2^64: near either end
  }
}

template <class T, class Words, class Distribution>
TANDEM_CLONES void make_block(const Words& words, const Distribution& distribution, std::uint64_t i,
                              int count, T* out) {
  WordBlock<typename Distribution::Word> block;
  distribute(distribution, make_words(words, i, count, block), count, out);
}

template <class C>
void simd(const typename C::Args& a, Context&) {
  with_random<C>(
      a, [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
        parallel_for(a.n, {.size = kPiece, .most = 1 << 18, .alone = kAlone},
                     [&](std::int64_t begin, std::int64_t end, int) {
                       if constexpr (std::is_same_v<Distribution, Poisson<typename C::T>>) {
                         if (!distribution.by_quantile()) {
                           for (std::int64_t i = begin; i < end; ++i)
                             a.out[i] = random_element(distribution, words,
                                                       a.key.offset + static_cast<std::uint64_t>(i));
                           return;
                         }
                       }
                       for (std::int64_t i = begin; i < end; i += kWordBlock) {
                         make_block(words, distribution, a.key.offset + static_cast<std::uint64_t>(i),
                                    static_cast<int>(std::min<std::int64_t>(kWordBlock, end - i)), a.out + i);
                       }
                     });
      });
}

REGISTER(
    Random, simd, .note = "eight counters at once, distributions by vectors",
    .suits = [](const Random::Shape& s) { return s.n >= kFewest || s.generator == Generator::sobol; })

}  // namespace
}  // namespace tandem
