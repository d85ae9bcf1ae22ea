#pragma once
// Rows of lengths without prime factors above 7 in shared memory: passes of radix 8, 4, 2, 3, 5 and 7.

#include <algorithm>

#include "custom_kernels/fft/detail/shared_part.cuh"
#include "custom_kernels/fft/detail/stockham.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

inline constexpr int kLongestMixed = 4096;  // numbers of a row: two buffers must fit

inline constexpr int kShortRows = 1024;  // numbers of a block's rows where they are short

/// What a block takes: as many rows as give its threads work, or have `numbers`.
template <class T>
struct MixedBlock {
  int n, rows;
  MixedBlock(std::int64_t n, std::int64_t batch, std::int64_t numbers = kShortRows)
      : n(static_cast<int>(n)), rows(static_cast<int>(std::clamp<std::int64_t>(numbers / n, 1, batch))) {}
  int threads() const { return std::clamp((n * rows / 8 + 31) / 32 * 32, 32, kMostThreads); }
  std::size_t shared_bytes() const { return 2 * static_cast<std::size_t>(n * rows) * sizeof(Complex<T>); }

 private:
  static constexpr int kMostThreads = 256;
};

/// Transforms rows of n numbers that lie one behind the other in `from`, `numbers` in all; returns where the results are, from
/// or to. All threads of the block call it, and meet before and behind it.
template <class T>
__device__ SharedPart<T> mixed_passes(SharedPart<T> from, SharedPart<T> to, int n, int numbers,
                                      const Radices& radices, const Complex<T>* roots) {
  int stride = 1;
  for (int pass = 0; pass < radices.count; ++pass) {
    __syncthreads();
    stockham_pass(radices.each[pass], from, to, n, stride, numbers, static_cast<int>(threadIdx.x),
                  static_cast<int>(blockDim.x), roots);
    stride *= radices.each[pass];
    const SharedPart<T> written = to;
    to = from, from = written;
  }
  __syncthreads();
  return from;
}

}  // namespace tandem
