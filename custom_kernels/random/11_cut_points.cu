// Idea:    Poisson numbers of one word each: what the word's top ten bits say of the number stands in a table, which lies in
//          shared memory with the cumulated probabilities; from there on it is one comparison, seldom two.
// New:     against tiles, no search by halves: of the eight probabilities that it compares with, lanes ask for different ones, and
//          constant memory, where a kernel's arguments lie, reads different addresses one after the other.
// Expect:  some 50 instructions for a number, of which 20 are the rounds.
// Limits:  Poisson numbers up to a mean of 64 alone. The tables are filled by each block, which short arrays feel, so one wave of
//          blocks strides through the array, as in packs.
// Source:  Chen, Asau 1974, "On generating random variates from an empirical distribution".

#include <algorithm>

#include "custom_kernels/random/detail/pack_words.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kCuts = 1024, kCutBits = 10;

template <class T, class Words>
__global__ void __launch_bounds__(kThreads)
    cut_points_blocks(T* out, std::int64_t n, std::int64_t head, std::uint64_t offset, Words words,
                      Poisson<T> poisson) {
  start_early();
  constexpr int kTable = Poisson<T>::kTable;
  __shared__ Shared<std::uint64_t, kTable + 1> below;
  __shared__ Shared<std::uint8_t, kCuts> cuts;  // the least number of a word with these top bits
  for (int k = threadIdx.x; k < kTable; k += kThreads) below[k] = poisson.below(k);
  if (threadIdx.x == 0) below[kTable] = ~std::uint64_t{0};  // where each search ends
  __syncthreads();
  for (int c = threadIdx.x; c < kCuts; c += kThreads)
    cuts[c] =
        std::uint8_t(poisson.quantile(std::uint64_t(c) << (64 - kCutBits), [&](int k) { return below[k]; }));
  __syncthreads();
  const auto number = [&](std::uint64_t word) {
    int k = cuts[int(word >> (64 - kCutBits))];
    while (below[k] <= word >> 1) ++k;
    return static_cast<T>(k);
  };

  using Pack = Pack<T>;
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads;
  const std::int64_t packs = (n - head) / Pack::kSize, tail = head + packs * Pack::kSize;
  auto* const packed = reinterpret_cast<Pack*>(out + head);
  for (std::int64_t p = thread; p < packs; p += threads) {
    std::uint64_t pack[Pack::kSize];
    pack_words(words, offset + head + p * Pack::kSize, pack);
    Pack results;
#pragma unroll
    for (int k = 0; k < Pack::kSize; ++k) results.values[k] = number(pack[k]);
    packed[p] = results;
  }
  const auto put = [&](std::int64_t i) { out[i] = number(words.template word<std::uint64_t>(offset + i)); };
  if (thread < head) put(thread);
  if (thread < n - tail) put(tail + thread);
}

template <class C>
requires(detail::is_word<typename C::T>()) void cut_points(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  with_random<C>(
      a, [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
        if constexpr (std::is_same_v<Distribution, Poisson<T>>) {
          auto* kernel = cut_points_blocks<T, Words>;
          static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kThreads, 0, kernel);
          const std::int64_t wave = std::int64_t{per_multiprocessor} * ctx.multiprocessors();
          const std::int64_t blocks = std::min(wave, ceil_div(a.n, kThreads * Pack<T>::kSize));
          launch_early(ctx, blocks, kThreads, 0, kernel, a.out, a.n, unaligned_head(a.out, a.n), a.key.offset,
                       words, distribution);
        }
      });
}

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.kind == Random::Kind::poisson && shape.by_quantile()
             ? ""
             : "makes Poisson numbers up to a mean of 64 alone";
}

REGISTER(Random, cut_points, .note = "Poisson by one word: a table of its first digits, in shared memory",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
