// Idea:    as many blocks as run at once; each thread goes through the array in strides of the whole grid,
//          and makes the numbers of 16 aligned bytes at once.
// New:     against one_per_counter, stores are whole wherever the array begins: where a pack begins inside of
//          a counter, its thread goes through the next counter, too. What depends on the seed and the
//          distribution alone is computed once for many packs, no blocks start and end all the time, and the
//          grid starts early (launch_early).
// Expect:  uniform numbers at the speed at which memory is written, 40 instructions of the rounds for 16
//          bytes.
// Limits:  normal floats wait for their cubics: lanes ask for different ones, in one cache line or another.
// Source:  Harris 2013, "CUDA pro tip: write flexible kernels with grid-stride loops".

#include <algorithm>

#include "custom_kernels/random/detail/pack_words.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

/// Packs from number `head` of the array on; what lies before and behind falls to the first threads.
template <class T, class Words, class Distribution>
__global__ void __launch_bounds__(kThreads)
    packs_blocks(T* out, std::int64_t n, std::int64_t head, std::uint64_t offset, Words words,
                 Distribution distribution) {
  start_early();
  using Pack = Pack<T>;
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads;
  const std::int64_t packs = (n - head) / Pack::kSize, tail = head + packs * Pack::kSize;
  auto* const packed = reinterpret_cast<Pack*>(out + head);
  for (std::int64_t p = thread; p < packs; p += threads) {
    const std::int64_t first = head + p * Pack::kSize;
    Pack results;
    if constexpr (requires { distribution.at(words, offset); }) {
      if (!distribution.by_quantile()) {
        for (int k = 0; k < Pack::kSize; ++k) results.values[k] = distribution.at(words, offset + first + k);
        packed[p] = results;
        continue;
      }
    }
    typename Distribution::Word pack[Pack::kSize];
    pack_words(words, offset + first, pack);
#pragma unroll
    for (int k = 0; k < Pack::kSize; ++k) results.values[k] = distribution(pack[k]);
    packed[p] = results;
  }
  if (thread < head) out[thread] = random_element(distribution, words, offset + thread);
  if (thread < n - tail) out[tail + thread] = random_element(distribution, words, offset + tail + thread);
}

template <class C>
void packs(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  with_random<C>(a,
                 [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
                   static const int per_multiprocessor =
                       blocks_per_multiprocessor(ctx, kThreads, 0, packs_blocks<T, Words, Distribution>);
                   const std::int64_t wave = std::int64_t{per_multiprocessor} * ctx.multiprocessors();
                   const std::int64_t blocks = std::min(wave, ceil_div(a.n, kThreads * Pack<T>::kSize));
                   launch_early(ctx, blocks, kThreads, 0, packs_blocks<T, Words, Distribution>, a.out, a.n,
                                unaligned_head(a.out, a.n), a.key.offset, words, distribution);
                 });
}

REGISTER(Random, packs, .note = "one wave of blocks, 16 aligned bytes per store")

}  // namespace
}  // namespace tandem
