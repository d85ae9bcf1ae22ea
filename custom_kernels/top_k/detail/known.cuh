#pragma once
// What is known of the k-th code while its digits are found, the highest first.

#include "lib/ops/top_k/contract.h"
#include "tandem/device/launch.cuh"

namespace tandem {

template <class Key>
struct Known {
  Key bits;           // the highest bits of the k-th code; zeros below
  Key mask;           // which bits these are
  std::int64_t need;  // how many of the k are among the keys that agree in them: the first so many

  __device__ static Known nothing(std::int64_t k) { return {0, 0, k}; }
  /// All codes up to this one.
  __device__ static Known up_to(Key code) { return {code, KeyOrder<Key>::kAll, 0}; }
  __device__ bool is_before(Key code) const { return (code & mask) < bits; }
  __device__ bool agrees(Key code) const { return (code & mask) == bits; }
  __device__ bool complete() const { return mask == KeyOrder<Key>::kAll; }
};

/// The next digit below what is known, of at most kMost bits.
template <int kMost, class Key>
struct NextDigit {
  int shift, bits;
  __device__ explicit NextDigit(Key mask) {
    const int left = KeyOrder<Key>::kBits - popcount(mask);
    bits = left < kMost ? left : kMost;
    shift = left - bits;
  }
  __device__ unsigned operator()(Key code) const { return unsigned(code >> shift) & ((1u << bits) - 1); }
  /// What is known once the digit is: `before` keys that agree in the bits above it have a smaller one.
  __device__ Known<Key> found(const Known<Key>& known, std::int64_t digit, std::int64_t before) const {
    return {static_cast<Key>(known.bits | Key(digit) << shift),
            static_cast<Key>(known.mask | (((Key(1) << bits) - 1) << shift)), known.need - before};
  }

 private:
  __device__ static int popcount(Key mask) {
    if constexpr (sizeof(Key) <= 4)
      return __popc(mask);
    else
      return __popc(unsigned(mask)) + __popc(unsigned(mask >> 32));
  }
};

}  // namespace tandem
