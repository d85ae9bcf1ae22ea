#pragma once
// Numbers in shared memory, and the roots they are multiplied by between two passes.

#include "lib/ops/fft/complex.h"
#include "tandem/device/launch.cuh"

namespace tandem {

/// From one place of the dynamic shared memory on: as a pointer, but the executor checks each index.
template <class T>
struct SharedPart {
  int begin;
  __device__ SharedPart operator+(int i) const { return {begin + i}; }
  __device__ Complex<T>& operator[](int i) const { return dynamic_shared<Complex<T>>()[begin + i]; }
};

/// Where number i of a line lies in shared memory: one place in 128 bytes is left free, so that neighbours of one thread and
/// the same numbers of neighbouring threads lie in different banks.
template <class T>
TANDEM_HD constexpr int place_in_line(int i) {
  constexpr int kPerRound = 128 / static_cast<int>(2 * sizeof(T));
  return i + i / kPerRound;
}
/// Places of a line of n numbers.
template <class T>
TANDEM_HD constexpr int line_size(int n) {
  return place_in_line<T>(n - 1) + 1;
}

/// Powers of two below R: as many roots are read for a butterfly.
TANDEM_HD constexpr int powers_of_two_below(int R) {
  return R > 16 ? 5 : R > 8 ? 4 : R > 4 ? 3 : R > 2 ? 2 : 1;
}

/// Multiplies v[r] by w^r, w^(2^b) = root(b). Other powers are products: reading all costs a cache several times the numbers
/// themselves.
template <int R, class T, class Root>
__device__ void turn(Complex<T> (&v)[R], Root root) {
  Complex<T> w[R];
#pragma unroll
  for (int r = 1; r < R; ++r) {
    const int bit = r >= 8 ? 3 : r >= 4 ? 2 : r >= 2 ? 1 : 0, high = 1 << bit;  // the highest bit of r
    w[r] = r == high ? root(bit) : w[r - high] * w[high];
    v[r] = v[r] * w[r];
  }
}

/// The same where a thread has many numbers: the powers of four neighbours are made when they are needed, so that few are held at once.
/// block_convolution is faster with turn().
template <int R, class T, class Root>
__device__ void turn_in_fours(Complex<T> (&v)[R], Root root) {
  constexpr int kGroup = 4;
  Complex<T> low[kGroup], high[ceil_div(R, kGroup)];  // of powers 0 … 3; of 0, 4, 8, …
#pragma unroll
  for (int r = 1; r < R; ++r) {
    const int g = r / kGroup, l = r % kGroup;
    if (l == 0) {
      const int bit = g >= 4 ? 2 : g >= 2 ? 1 : 0, most = 1 << bit;  // the highest bit of g
      high[g] = g == most ? root(2 + bit) : high[g - most] * high[most];
    } else if (g == 0) {
      low[l] = l == 3 ? low[1] * low[2] : root(l - 1);
    }
    v[r] = v[r] * (g == 0 ? low[l] : l == 0 ? high[g] : high[g] * low[l]);
  }
}

}  // namespace tandem
