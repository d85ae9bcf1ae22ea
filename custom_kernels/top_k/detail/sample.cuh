#pragma once
// How blocks find a limit that a sample tells.

#include "custom_kernels/top_k/detail/meeting.cuh"
#include "custom_kernels/top_k/detail/sample.h"

namespace tandem {

/// Called by all blocks: a code with at least sample.rank keys of the sample up to it, and at most about twice as many.
/// `codes` has room for the sample.
template <class Key, bool kFloating>
__device__ Key sampled_limit(const Share<Key, kFloating>& share, const Sample& sample, Key* codes,
                             GridBarrier& barrier) {
  __shared__ Shared<unsigned, kDigitTable> counts;
  for (int j = blockIdx.x * kShareThreads + threadIdx.x; j < sample.size; j += gridDim.x * kShareThreads)
    codes[j] = share.code(share.shares.in[sample.position(j, share.shares.n)]);
  barrier.wait();
  Known<Key> known = Known<Key>::nothing(sample.rank);
  for (std::int64_t taken = 2 * sample.rank + 1; taken > 2 * sample.rank && !known.complete();) {
    for (int d = threadIdx.x; d < kDigitTable; d += kShareThreads) counts[d] = 0;
    __syncthreads();
    const NextDigit<kShareDigitBits, Key> digit(known.mask);
    DigitCounts adds{counts};
    for (int j = threadIdx.x; j < sample.size; j += kShareThreads) {
      if (known.agrees(codes[j])) adds.add(digit(codes[j]));
    }
    adds.flush();
    __syncthreads();
    const FoundDigit found = find_digit(known.need, counts, [&](int d) { return counts[slot(unsigned(d))]; });
    known = digit.found(known, found.digit, found.before);
    taken = sample.rank - known.need + found.equal;
  }
  return static_cast<Key>(known.bits | ~known.mask);
}

}  // namespace tandem
