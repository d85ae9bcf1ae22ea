#pragma once
// A limit that a few keys of the input tell: about `rank` of them, and so little more than k of all keys, come before it.

#include <cmath>

#include "custom_kernels/top_k/detail/meeting.cuh"

namespace tandem {

constexpr int kMostSamples = 8192;

struct Sample {
  int size;           // keys of the sample
  std::int64_t rank;  // of the limit among them, 1 is the first

  /// One key of eight at most. The limit's rank is the one that the k-th key would have on average, and more by four times
  /// of what it varies: that fewer than k keys are within the limit is rare.
  static Sample of(std::int64_t n, std::int64_t k) {
    const auto size = int(std::min<std::int64_t>(kMostSamples, ceil_div(n, 8)));
    const double average = double(k) * size / double(n);
    return {size, std::min<std::int64_t>(size, std::int64_t(average + 4 * std::sqrt(average) + 4))};
  }
  /// Sample j is a key of the j-th of `size` equal parts of the input, drawn so that no period of the data meets all samples.
  TANDEM_HD std::int64_t position(int j, std::int64_t n) const {
    const std::int64_t begin = n * j / size, width = n * (j + 1) / size - begin;
    std::uint32_t bits = (std::uint32_t(j) + 1) * 0x9E3779B9u;
    bits = (bits ^ bits >> 15) * 0x85EBCA6Bu;
    return begin + std::int64_t(std::uint64_t(bits ^ bits >> 13) * std::uint64_t(width) >> 32);
  }
};

/// Called by all blocks: a code with at least sample.rank keys of the sample up to it, and at most about twice as many.
/// `codes` has room for the sample.
template <class Key, bool kFloating>
__device__ Key sampled_limit(const Share<Key, kFloating>& share, const Sample& sample, Key* codes,
                             GridBarrier& barrier) {
  __shared__ Shared<unsigned, kShareDigits> counts;
  for (int j = blockIdx.x * kShareThreads + threadIdx.x; j < sample.size; j += gridDim.x * kShareThreads)
    codes[j] = share.code(share.shares.in[sample.position(j, share.shares.n)]);
  barrier.wait();
  Known<Key> known = Known<Key>::nothing(sample.rank);
  for (std::int64_t taken = 2 * sample.rank + 1; taken > 2 * sample.rank && !known.complete();) {
    for (int d = threadIdx.x; d < kShareDigits; d += kShareThreads) counts[d] = 0;
    __syncthreads();
    const NextDigit<kShareDigitBits, Key> digit(known.mask);
    DigitCounts adds{counts};
    for (int j = threadIdx.x; j < sample.size; j += kShareThreads) {
      if (known.agrees(codes[j])) adds.add(digit(codes[j]));
    }
    adds.flush();
    __syncthreads();
    const FoundDigit found = find_digit(known.need, counts, [&](int d) { return counts[d]; });
    known = digit.found(known, found.digit, found.before);
    taken = sample.rank - known.need + found.equal;
  }
  return known.bits | ~known.mask;
}

}  // namespace tandem
