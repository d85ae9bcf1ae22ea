// Idea:    the exact sum: numbers are whole multiples of a tiny unit, so they are added up as whole numbers, without any
//          rounding, and the result is rounded once. Whole numbers may be added in any order: every grid, schedule and
//          machine gives the same bits.
// New:     against one_pass, a thread's accumulator is a long number, in words of 32 bits of weight that overlap by as
//          many: an element is added to one word (two for a double), wherever its exponent says. The words of
//          a block lie in shared memory, word by word, so that lanes meet in no bank; blocks add theirs to the
//          grid's by atomic additions.
// Expect:  14 instructions per float, 30 per double, and as many bytes as a plain sum: bound by memory, while an eighth of
//          the arithmetic of a plain sum would suffice.
// Limits:  floating-point sums. The words take 33 KB of shared memory per block. Where a number is
//          infinite or NaN the elements are read once more, to tell which.
// Source:  Kulisch, Miranker 1986, "The arithmetic of the digital computer: a new approach" (the long accumulator);
//          Neal 2015, "Fast exact summation using small and large superaccumulators" (words that overlap).

#include "lib/ops/reduce/contract.h"
#include "lib/ops/reduce/exact_sum.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"
#include "tandem/device/warp.cuh"

namespace tandem {
namespace {

using Word = unsigned long long;  // as atomicAdd takes it; a negative number is its complement

/// A thread's long number. Word w of thread t of a block lies at w · kThreads + t.
template <class T>
struct Accumulator;

/// A word for each sign and each 32 exponents: m · 2^r with m < 2^24 and r < 32, so 256 of them fit.
template <>
struct Accumulator<float> {
  static constexpr int kThreads = 256, kWords = 16, kUnroll = 4, kBeforeCarry = 256;
  Word* words;
  std::int64_t above[2] = {};  // what was carried out of the highest word of either sign

  __device__ void add(float x) {
    const FixedPoint<float> parts(x);
    words[(parts.bit / 32 + 8 * parts.negative) * kThreads] += Word(parts.mantissa) << parts.bit % 32;
  }
  __device__ void carry() {
#pragma unroll
    for (int sign = 0; sign < 2; ++sign) {
      Word carried = 0;
#pragma unroll
      for (int w = 8 * sign; w < 8 * sign + 8; ++w) {
        carried += words[w * kThreads];
        words[w * kThreads] = carried & 0xffffffff;
        carried >>= 32;
      }
      above[sign] += std::int64_t(carried);
    }
  }
  /// What one in word w counts: ± 2^(32 · limb).
  __device__ static int limb(int w) { return w % 8; }
  __device__ static bool negative(int w) { return w >= 8; }
};

/// A signed word for each 32 exponents, to which the halves of a mantissa are added one by one; a word that has become
/// long is carried at once.
template <>
struct Accumulator<double> {
  static constexpr int kThreads = 64, kWords = 66, kUnroll = 4, kBeforeCarry = 1 << 30;
  Word* words;
  static constexpr std::int64_t above[2] = {};

  __device__ void add(double x) {
    constexpr int kHalf = 27;
    const FixedPoint<double> parts(x);
    const auto low = int(parts.mantissa & ((1 << kHalf) - 1)), high = int(parts.mantissa >> kHalf);
    put(parts.negative ? -low : low, parts.bit);
    put(parts.negative ? -high : high, parts.bit + kHalf);
  }
  __device__ void carry() {}
  __device__ static int limb(int w) { return w; }
  __device__ static bool negative(int) { return false; }

 private:
  __device__ void put(int value, int bit) {
    constexpr std::int64_t kLong = std::int64_t{1} << 62;  // 16 times as much as one addition
    Word& word = words[bit / 32 * kThreads];
    auto sum = std::int64_t(word) + std::int64_t(value) * (std::int64_t{1} << bit % 32);
    if (sum >= kLong || sum < -kLong) {
      (&word)[kThreads] += Word(sum >> 32);
      sum &= 0xffffffff;
    }
    word = Word(sum);
  }
};

/// The grid's sum in global memory: its limbs, and what it saw besides finite numbers. Zero between calls.
template <class T>
constexpr int kStateWords = ExactSum<T>::kLimbs + 1;

/// Called by a thread: adds value · 2^(32 · limb) to the grid's sum.
__device__ void add_limb(Word* state, int limb, std::int64_t value) {
  if (value) atomicAdd(state + limb, Word(value));
}

template <class C>
__global__ void __launch_bounds__(Accumulator<typename C::Acc>::kThreads)
    exact_blocks(const typename C::T* in, std::int64_t n, typename C::Acc* out, Word* state,
                 unsigned* finished) {
  using T = typename C::T;
  using Acc = typename C::Acc;
  using Mine = Accumulator<Acc>;
  constexpr int kThreads = Mine::kThreads, kUnroll = Mine::kUnroll, kSize = Pack<T>::kSize;
  start_early();
  auto words = dynamic_shared<Word>();
  Mine mine{&words[threadIdx.x]};
#pragma unroll 1
  for (int w = 0; w < Mine::kWords; ++w) words[w * kThreads + threadIdx.x] = 0;

  const std::int64_t head = unaligned_head(in, n), packs = (n - head) / kSize, tail = head + packs * kSize;
  const auto* data = reinterpret_cast<const Pack<T>*>(in + head);
  const std::int64_t thread = std::int64_t(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t threads = std::int64_t(gridDim.x) * kThreads, step = threads * kUnroll;
  // Calls visit(x) for each element of this thread, and between() after so many that no word overflows.
  const auto walk = [&](const auto& visit, const auto& between) {
    constexpr int kMost = Mine::kBeforeCarry / (kUnroll * kSize) - 1;
    int left = kMost;
    for (std::int64_t i = std::int64_t(blockIdx.x) * kThreads * kUnroll + threadIdx.x; i < packs; i += step) {
      Pack<T> loaded[kUnroll];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) loaded[u] = data[min(i + u * kThreads, packs - 1)];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        if (i + u * kThreads >= packs) break;
#pragma unroll
        for (int e = 0; e < kSize; ++e) visit(C::load(loaded[u].values[e]));
      }
      if (--left == 0) between(), left = kMost;
    }
    if (thread < head) visit(C::load(in[thread]));
    if (thread < n - tail) visit(C::load(in[tail + thread]));
  };
  Acc not_finite = 0;  // NaN from the first infinity or NaN on
  walk(
      [&](Acc x) {
        not_finite += x * Acc(0);
        mine.add(x);
      },
      [&] { mine.carry(); });
  mine.carry();
  if (not_finite != not_finite) {
    Specials specials;
    walk([&](Acc x) { specials.add(x); }, [] {});
    atomicOr(state + ExactSum<Acc>::kLimbs, Word{specials.seen});
  }

  // The threads' words come together, those of a number in one warp.
  __syncthreads();
  const int warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  for (int w = warp; w < Mine::kWords; w += kThreads / kWarp) {
    std::int64_t low = 0, high = 0;
    for (int t = lane; t < kThreads; t += kWarp) {
      const auto word = std::int64_t(words[w * kThreads + t]);
      low += word & 0xffffffff, high += word >> 32;
    }
    low = warp_reduce<Plus>(low), high = warp_reduce<Plus>(high);
    if (lane == 0) {
      add_limb(state, Mine::limb(w), Mine::negative(w) ? -low : low);
      add_limb(state, Mine::limb(w) + 1, Mine::negative(w) ? -high : high);
    }
  }
  const std::int64_t above = warp_reduce<Plus>(mine.above[0] - mine.above[1]);
  if (lane == 0) add_limb(state, Accumulator<float>::kWords / 2, above);

  __shared__ Shared<bool, 1> is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last[0] = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last[0] || threadIdx.x > 0) return;
  __threadfence();
  ExactSum<Acc> sum;
  for (int k = 0; k < ExactSum<Acc>::kLimbs; ++k) sum.limbs[k] = std::int64_t(atomicExch(state + k, Word{0}));
  *out = sum.rounded({unsigned(atomicExch(state + ExactSum<Acc>::kLimbs, Word{0}))});
}

template <class C>
void exact(const typename C::Args& a, Context& ctx) {
  using Acc = typename C::Acc;
  if constexpr (Reduce::has_exact_sum<C>) {
    using Mine = Accumulator<Acc>;
    constexpr std::size_t kShared = std::size_t{Mine::kWords} * Mine::kThreads * sizeof(Word);
    static const int per_multiprocessor =
        blocks_per_multiprocessor(ctx, Mine::kThreads, kShared, exact_blocks<C>);
    const std::int64_t wave = std::int64_t{per_multiprocessor} * ctx.multiprocessors();
    const std::int64_t wanted =
        ceil_div(a.n, std::int64_t{Mine::kThreads} * Mine::kUnroll * Pack<typename C::T>::kSize);
    launch_early(ctx, std::min(wanted, wave), Mine::kThreads, kShared, exact_blocks<C>, a.in, a.n, a.out,
                 ctx.state<Word>("reduce/exact", kStateWords<double>),
                 ctx.state<unsigned>("reduce/exact blocks"));
  }
}

// At most half a unit in the last place, once.
REGISTER(
    Reduce, exact, .note = "the exact sum, rounded once: long numbers in shared memory",
    .depth = [](std::int64_t) { return 0.0; }, .refuses = Reduce::refuse_but_exact,
    .suits = [](const Reduce::Shape& s) { return s.portable; })

}  // namespace
}  // namespace tandem
