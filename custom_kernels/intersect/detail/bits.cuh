#pragma once
// A window of document numbers as bits in shared memory, as dense_bits and packed_batch look candidates up.

#include "custom_kernels/intersect/detail/piece.cuh"
#include "tandem/device/vector_access.cuh"

namespace tandem {

/// Bit i stands for number `lowest` + i, up to `span`.
template <class T>
struct BitWindow {
  static constexpr int kWordBits = 8 * sizeof(T);
  Shared<T, kStage>& words;
  T lowest, span;

  /// Whether bits pay for a part of so many ids: they must fit, and there must be no more words to clear than
  /// ids to read.
  __device__ bool suits(std::int64_t ids) const {
    const T needed = span / kWordBits + 1;
    return needed <= kStage && needed <= ids;
  }
  /// Block-wide, behind a barrier at which what was there has been used up, and before one of its own.
  __device__ void clear() const {
    for (T word = threadIdx.x; word <= span / kWordBits; word += kPieceThreads) words[word] = 0;
    __syncthreads();
  }
  /// Thread-wide: sets the bits of ids.values[from] … [to − 1], those of one word together. Ids outside of
  /// the window have none.
  __device__ void set(const Pack<T>& ids, int from, int to) const {
    T word = 0, ones = 0;
#pragma unroll
    for (int k = 0; k < Pack<T>::kSize; ++k) {
      const T bit = ids.values[k] - lowest;
      if (k < from || k >= to || bit > span) continue;
      if (bit / kWordBits != word) {
        if (ones) atomicOr(&words[word], ones);
        ones = 0;
        word = bit / kWordBits;
      }
      ones |= T{1} << bit % kWordBits;
    }
    if (ones) atomicOr(&words[word], ones);
  }
  /// Thread-wide: whether the bit of an id in the window is set.
  __device__ bool holds(T id) const {
    const T bit = id - lowest;
    return words[bit / kWordBits] >> bit % kWordBits & 1;
  }
};

}  // namespace tandem
