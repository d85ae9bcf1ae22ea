// Idea:    the cubics of the normal distribution lie in shared memory, once for each of eight lanes.
// New:     against tiles, lanes that ask for different cubics do not wait for each other: a cubic takes 16
//          bytes, of which eight lanes get one each from the 128 bytes that shared memory gives at once, if
//          no two of them want the same banks. Lane l asks the copies that lie in banks 4(l mod 8) to 4(l mod
//          8) + 3 alone.
// Expect:  normal floats at the speed at which memory is written: 10 instructions of the rounds for a number,
//          14 of the distribution, and a load of four wavefronts for 32 of them.
// Limits:  floats. 33 KiB are filled by each block, which short arrays feel, and blocks go through the whole
//          array again.
// Source:  Cheung, Lee, Luk, Villasenor 2007, "Hardware generation of arbitrary random number distributions
//          from uniform distributions via the inversion method", on pieces of halving width.

#include <algorithm>

#include "custom_kernels/random/detail/pack_words.cuh"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 512;
constexpr int kCopies = 8;  // of 16 bytes each: all banks

template <class Words, class Distribution>
__global__ void __launch_bounds__(kThreads)
    shared_cubics_blocks(float* out, std::int64_t n, std::int64_t head, std::uint64_t offset, Words words,
                         Distribution distribution) {
  start_early();
  using Pack = Pack<float>;
  __shared__ Shared<detail::Cubic, detail::kNormalCubics * kCopies> copies;
  for (int c = threadIdx.x; c < detail::kNormalCubics * kCopies; c += kThreads)
    copies[c] = detail::normal_cubics()[c / kCopies];
  __syncthreads();
  const int copy = threadIdx.x % kCopies;
  const auto number = [&](std::uint32_t word) {
    return distribution.from(
        detail::normal_quantile(word, [&](std::uint32_t c) { return copies[c * kCopies + copy]; }));
  };

  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads;
  const std::int64_t packs = (n - head) / Pack::kSize, tail = head + packs * Pack::kSize;
  auto* const packed = reinterpret_cast<Pack*>(out + head);
  for (std::int64_t p = thread; p < packs; p += threads) {
    const std::int64_t first = head + p * Pack::kSize;
    std::uint32_t pack[Pack::kSize];
    pack_words(words, offset + first, pack);
    Pack results;
#pragma unroll
    for (int k = 0; k < Pack::kSize; ++k) results.values[k] = number(pack[k]);
    packed[p] = results;
  }
  if (thread < head) out[thread] = random_element(distribution, words, offset + thread);
  if (thread < n - tail) out[tail + thread] = random_element(distribution, words, offset + tail + thread);
}

template <class C>
void shared_cubics(const typename C::Args& a, Context& ctx) {
  if constexpr (std::is_same_v<typename C::T, float>) {
    with_random<C>(
        a, [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
          if constexpr (!std::is_same_v<Distribution, Uniform<float>>) {
            auto* kernel = shared_cubics_blocks<Words, Distribution>;
            static const int per_multiprocessor = blocks_per_multiprocessor(ctx, kThreads, 0, kernel);
            const std::int64_t wave = std::int64_t{per_multiprocessor} * ctx.multiprocessors();
            const std::int64_t blocks = std::min(wave, ceil_div(a.n, kThreads * Pack<float>::kSize));
            launch_early(ctx, blocks, kThreads, 0, kernel, a.out, a.n, unaligned_head(a.out, a.n),
                         a.key.offset, words, distribution);
          }
        });
  }
}

std::string refuses(const Random::Shape& shape, CaseId id) {
  const bool normal = shape.kind == Random::Kind::normal || shape.kind == Random::Kind::log_normal;
  return normal && id.type == Type::f32 ? "" : "makes normal and log-normal floats alone";
}

REGISTER(Random, shared_cubics, .note = "the normal distribution's cubics in shared memory",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
