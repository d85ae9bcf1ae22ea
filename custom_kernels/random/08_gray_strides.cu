// Idea:    a thread's next numbers lie a power of two of points behind its last ones, and points so far apart differ by two
//          directions: those of the point in Gray's code of the digits above, and the highest of the digits below.
// New:     against tiles, which makes the first point of each pack of one digit after the other, a thread does that once; each
//          further number takes an exclusive or with two directions, of which lanes of a warp mostly ask for the same.
//          Points of several coordinates go the same way: the stride is a whole number of points, so a thread keeps its coordinates.
// Expect:  Sobol's uniform numbers at the speed at which memory is written, in long arrays.
// Limits:  Sobol's points alone. Each thread's first numbers take a step for each digit, which short arrays feel.
// Source:  Antonov, Saleev 1979, "An economic method of computing LPτ-sequences"; strides of a power of two: NVIDIA's CUDA sample
//          SobolQRNG.

#include <algorithm>
#include <bit>

#include "lib/ops/random/contract.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;
constexpr int kMostStrides = 16;  // of a thread
constexpr int kBlocks = 8;  // of a multiprocessor, so that all have work before a thread takes more strides

/// From a pack to the next one of the same thread.
struct Stride {
  int digits;          // 2^digits points,
  std::int64_t packs;  // which are so many packs, at most one for each thread of a block
};

template <class T, class Distribution>
__global__ void __launch_bounds__(kThreads)
    gray_strides_block(T* out, std::int64_t n, std::int64_t head, std::uint64_t offset, Sobol sobol,
                       Distribution distribution, Stride stride, std::int64_t strides) {
  start_early();
  using Pack = Pack<T>;
  using Word = typename Distribution::Word;
  constexpr int kBits = detail::SobolDirections<Word>::kBits;
  __shared__ Shared<Word, detail::kSobolDimensions * kBits> directions;
  const int dimensions = sobol.dimensions(), thread = int(threadIdx.x);
  for (int k = thread; k < dimensions * kBits; k += kThreads)
    directions[k] = detail::sobol_directions<Word>().of[k / kBits][k % kBits];
  __syncthreads();

  const std::int64_t packs = (n - head) / Pack::kSize, tail = head + packs * Pack::kSize;
  if (blockIdx.x == 0) {
    const auto put = [&](std::int64_t i) { out[i] = distribution(sobol.word<Word>(offset + i)); };
    if (thread < head) put(thread);
    if (thread < n - tail) put(tail + thread);
  }
  const std::int64_t first = std::int64_t(blockIdx.x) * strides * stride.packs + thread;
  if (thread >= stride.packs || first >= packs) return;

  Word x[Pack::kSize];
  int dimension[Pack::kSize];
  std::uint64_t above[Pack::kSize];  // of each point the digits that change
#pragma unroll
  for (int k = 0; k < Pack::kSize; ++k) {
    const std::uint64_t i = offset + head + first * Pack::kSize + k, point = i / dimensions;
    dimension[k] = int(i % dimensions);
    above[k] = point >> stride.digits;
    x[k] = k > 0 && dimensions == 1 ? Word(x[k - 1] ^ directions[detail::direction_to(i)])
                                    : Sobol::coordinate<Word>(point, dimension[k]);
  }
  auto* const packed = reinterpret_cast<Pack*>(out + head);
  for (std::int64_t s = 0, p = first; s < strides && p < packs; ++s, p += stride.packs) {
    Pack results;
#pragma unroll
    for (int k = 0; k < Pack::kSize; ++k) {
      results.values[k] = distribution(sobol.scrambled(x[k], dimension[k]));
      // Behind the last point there are no digits left; what it would be is never stored.
      const int changed = min(stride.digits + detail::direction_to(++above[k]), kBits - 1);
      const int of = dimension[k] * kBits;
      x[k] ^= directions[of + changed] ^ directions[of + stride.digits - 1];
    }
    packed[p] = results;
  }
}

template <class C>
void gray_strides(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  constexpr int kSize = Pack<T>::kSize;
  with_random<C>(
      a, [&]<class Words, class Distribution>(const Words& words, const Distribution& distribution) {
        if constexpr (std::is_same_v<Words, Sobol>) {
          const auto dimensions = static_cast<unsigned>(words.dimensions());
          const int digits = std::bit_width(kThreads * kSize / dimensions) - 1;
          const Stride stride{digits, (std::int64_t{dimensions} << digits) / kSize};
          const std::int64_t head = unaligned_head(a.out, a.n), packs = (a.n - head) / kSize;
          const std::int64_t all = std::max<std::int64_t>(1, ceil_div(packs, stride.packs));
          const std::int64_t strides = std::clamp<std::int64_t>(
              all / (std::int64_t{kBlocks} * ctx.multiprocessors()), 1, kMostStrides);
          launch_early(ctx, ceil_div(all, strides), kThreads, 0, gray_strides_block<T, Distribution>, a.out,
                       a.n, head, a.key.offset, words, distribution, stride, strides);
        }
      });
}

std::string refuses(const Random::Shape& shape, CaseId) {
  return shape.generator == Generator::sobol && shape.by_quantile()
             ? ""
             : "makes Sobol's points alone, each of one word";
}

REGISTER(Random, gray_strides, .note = "Sobol's points by two directions, a power of two of points apart",
         .refuses = refuses)

}  // namespace
}  // namespace tandem
