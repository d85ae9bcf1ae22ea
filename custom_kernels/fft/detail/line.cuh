#pragma once
// A power of two of numbers, eight in the registers of each of n/8 threads, which exchange them through shared memory.

#include "custom_kernels/fft/detail/butterflies.h"
#include "custom_kernels/fft/detail/shared_part.cuh"

namespace tandem {

inline constexpr int kHeld = 8;  // numbers of a thread
inline constexpr int kLongestLine = 4096;
/// Numbers of the largest block: doubles would not fit into the registers of more threads.
template <class T>
inline constexpr int kBlockNumbers = sizeof(T) == 4 ? 8192 : 4096;

/// Where number i of a line lies in shared memory: one place in 128 bytes is left free, so that eight neighbours of one thread
/// and the same numbers of neighbouring threads lie in different banks.
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

/// Multiplies v[r] by w^r, w = roots[j]. Of the powers of w those of 1, 2 and 4 are read, and others are products of two: reading
/// all costs a cache several times the numbers themselves, and more products would cost digits.
template <int R, class T>
__device__ void turn(Complex<T> (&v)[R], const Complex<T>* roots, int j) {
  Complex<T> w[R];
#pragma unroll
  for (int r = 1; r < R; ++r) {
    const int high = r >= 4 ? 4 : r >= 2 ? 2 : 1;  // the highest bit of r
    w[r] = r == high ? roots[r * j] : w[r - high] * w[high];
    v[r] = v[r] * w[r];
  }
}

/// Thread t of n/8 holds numbers t + m · n/8; so it does behind the transform. All threads of the block call it, each group of
/// n/8 with a line of its own. kLast: n is a power of 8 times it: 1, 2 or 4. `roots`: e^(−2πi k/n), k = 0 … n−1.
template <int kLast, class T>
__device__ void transform_line(Complex<T> (&v)[kHeld], SharedPart<T> line, int t, int n,
                               const Complex<T>* roots) {
  const int threads = n / kHeld;
  for (int stride = 1; stride * kHeld <= n; stride *= kHeld) {
    const int k = t & (stride - 1);
    if (stride > 1) turn<kHeld>(v, roots, k * (threads / stride));
    butterfly<kHeld>(v);
    if (stride * kHeld == n) return;
    __syncthreads();  // what was read before is no longer needed
#pragma unroll
    for (int r = 0; r < kHeld; ++r) line[place_in_line<T>((t - k) * kHeld + k + r * stride)] = v[r];
    __syncthreads();
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m] = line[place_in_line<T>(t + m * threads)];
  }
  if constexpr (kLast > 1) {
    constexpr int kEach = kHeld / kLast;  // butterflies of a thread
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      Complex<T> u[kLast];
#pragma unroll
      for (int r = 0; r < kLast; ++r) u[r] = v[r * kEach + i];
      turn<kLast>(u, roots, t + i * threads);
      butterfly<kLast>(u);
#pragma unroll
      for (int r = 0; r < kLast; ++r) v[r * kEach + i] = u[r];
    }
  }
}

/// Calls f.operator()<kLast>() for a power of two from 8 on.
template <class F>
void with_last_radix(std::int64_t n, F&& f) {
  while (n >= kHeld) n /= kHeld;
  n == 1 ? f.template operator()<1>() : n == 2 ? f.template operator()<2>() : f.template operator()<4>();
}

}  // namespace tandem
