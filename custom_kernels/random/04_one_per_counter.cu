// Idea:    one thread for each counter, whose words become the two or four numbers that lie side by side.
// New:     against one_per_element, a counter is gone through once, and its numbers are stored by 16 bytes at
//          once.
// Expect:  a quarter of the arithmetic, half of it for numbers of 64 bits: uniform numbers at the speed of
//          the memory.
// Limits:  where the array does not begin where a counter does, or is not aligned, stores are of one number
//          each. Words of 64 bits that become numbers of 32 (Poisson) fill half a store. A block starts,
//          makes 256 counters' numbers and ends.
// Source:  Salmon, Moraes, Dror, Shaw 2011, section 4.3.

#include "custom_kernels/random/detail/pack_words.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

/// Thread t has the numbers of counter t, counted from that in which the array begins.
template <class T, class Words, class Distribution>
__global__ void one_per_counter_block(T* out, std::int64_t n, std::uint64_t offset, Words words,
                                      Distribution distribution) {
  using Word = typename Distribution::Word;
  constexpr int kOfCounter = 16 / sizeof(Word);
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const auto skipped = static_cast<std::int64_t>(offset % kOfCounter);
  const std::int64_t first = thread * kOfCounter - skipped;
  if (first >= n) return;
  using Pack = Pack<T, kOfCounter>;
  Pack results;
  Word counter[kOfCounter];
  pack_words(words, offset + first, counter);
#pragma unroll
  for (int k = 0; k < kOfCounter; ++k) results.values[k] = distribution(counter[k]);
  auto* const packed = reinterpret_cast<Pack*>(out - skipped);
  if (first >= 0 && first + kOfCounter <= n && reinterpret_cast<std::uintptr_t>(packed) % sizeof(Pack) == 0) {
    packed[thread] = results;
    return;
  }
#pragma unroll
  for (int k = 0; k < kOfCounter; ++k) {
    if (first + k >= 0 && first + k < n) out[first + k] = results.values[k];
  }
}

template <class C>
void one_per_counter(const typename C::Args& a, Context& ctx) {
  with_random<C>(a,
                 [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
                   constexpr int kOfCounter = 16 / sizeof(typename Distribution::Word);
                   const auto skipped = static_cast<std::int64_t>(a.key.offset % kOfCounter);
                   launch(ctx, ceil_div(a.n + skipped, kThreads * kOfCounter), kThreads, 0,
                          one_per_counter_block<typename C::T, Words, Distribution>, a.out, a.n, a.key.offset,
                          words, distribution);
                 });
}

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.by_quantile()
             ? ""
             : "makes each number of one word; Poisson numbers above a mean of 64 take several";
}

REGISTER(Random, one_per_counter, .note = "one thread for each counter, 16 bytes per store",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
