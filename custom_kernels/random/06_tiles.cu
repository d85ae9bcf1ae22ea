// Idea:    a block for each tile of the array, in the order of the array.
// New:     against packs, blocks that run at one time write one narrow front of the array, while those that
//          go through all of it drift apart, and the memory would rather stay in the rows that it has open. A
//          thread still makes several packs, so that what depends on the seed alone is computed once for
//          them; of short arrays one, so that all multiprocessors have work.
// Expect:  uniform numbers at the speed at which memory is written.
// Limits:  normal floats wait for their cubics, as in packs.
// Source:  Volkov 2010, "Better performance at lower occupancy", on work per thread.

#include <algorithm>

#include "custom_kernels/random/detail/pack_words.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kPacks = 4;          // of a thread in long arrays
constexpr int kShortPacks = 8192;  // per multiprocessor: four waves of threads

template <int kPacks, class T, class Words, class Distribution>
__global__ void __launch_bounds__(kThreads)
    tiles_block(T* out, std::int64_t n, std::int64_t head, std::uint64_t offset, Words words,
                Distribution distribution) {
  start_early();
  using Pack = Pack<T>;
  const std::int64_t packs = (n - head) / Pack::kSize, tail = head + packs * Pack::kSize;
  const std::int64_t tile = std::int64_t(blockIdx.x) * (kThreads * kPacks);
  auto* const packed = reinterpret_cast<Pack*>(out + head);
#pragma unroll
  for (int r = 0; r < kPacks; ++r) {
    const std::int64_t p = tile + r * kThreads + threadIdx.x;
    if (p >= packs) break;
    typename Distribution::Word pack[Pack::kSize];
    pack_words(words, offset + head + p * Pack::kSize, pack);
    Pack results;
#pragma unroll
    for (int k = 0; k < Pack::kSize; ++k) results.values[k] = distribution(pack[k]);
    packed[p] = results;
  }
  if (tile > 0) return;
  const auto put = [&](std::int64_t i) {
    out[i] = distribution(words.template word<typename Distribution::Word>(offset + i));
  };
  if (threadIdx.x < head) put(threadIdx.x);
  if (threadIdx.x < n - tail) put(tail + threadIdx.x);
}

template <class C>
void tiles(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const std::int64_t head = unaligned_head(a.out, a.n), packs = (a.n - head) / Pack<T>::kSize;
  const bool is_short = packs <= std::int64_t{kShortPacks} * ctx.multiprocessors();
  with_random<C>(
      a, [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
        auto* kernel =
            is_short ? tiles_block<1, T, Words, Distribution> : tiles_block<kPacks, T, Words, Distribution>;
        const std::int64_t blocks =
            std::max<std::int64_t>(1, ceil_div(packs, kThreads * (is_short ? 1 : kPacks)));
        launch_early(ctx, blocks, kThreads, 0, kernel, a.out, a.n, head, a.key.offset, words, distribution);
      });
}

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.by_quantile()
             ? ""
             : "makes each number of one word; Poisson numbers above a mean of 64 take several";
}

REGISTER(Random, tiles, .note = "a block for each tile, in the order of the array", .refuses = refuses)

}  // namespace
}  // namespace tandem
