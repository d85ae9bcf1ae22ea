#pragma once
// A power of two of numbers, kHeld in the registers of each of n/kHeld threads, which exchange them through shared memory.

#include "custom_kernels/fft/detail/butterflies.h"
#include "custom_kernels/fft/detail/shared_part.cuh"

namespace tandem {

inline constexpr int kLongestLine = 4096;  // of those that a block has several of
/// Numbers of the largest block: doubles would not fit into the registers of more threads.
template <class T>
inline constexpr int kBlockNumbers = sizeof(T) == 4 ? 8192 : 4096;

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

/// Thread t of n/kHeld holds numbers t + m · n/kHeld; so it does behind the transform. All threads of the block call it, each group
/// of n/kHeld with a line of its own. kFirst: n is a power of kHeld times it. roots: line_roots() of n.
///
/// The first pass is the one of another radix, since it needs no roots.
template <int kFirst, int kHeld, class T>
__device__ void transform_line(Complex<T> (&v)[kHeld], SharedPart<T> line, int t, int n,
                               const Complex<T>* roots) {
  constexpr int kBits = kHeld == 16 ? 4 : 3;
  const int threads = n / kHeld;
  const auto read = [&] {
    __syncthreads();
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m] = line[place_in_line<T>(t + m * threads)];
  };
  if constexpr (kFirst > 1) {
    constexpr int kEach = kHeld / kFirst;  // butterflies of a thread
    __syncthreads();                       // what was read before is no longer needed
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      Complex<T> u[kFirst];
#pragma unroll
      for (int r = 0; r < kFirst; ++r) u[r] = v[r * kEach + i];
      butterfly<kFirst>(u);
#pragma unroll
      for (int r = 0; r < kFirst; ++r) line[place_in_line<T>((t + i * threads) * kFirst + r)] = u[r];
    }
    read();
  }
  for (int stride = kFirst;; stride *= kHeld) {
    const int k = t & (stride - 1);
    if (stride > 1) {
      turn<kHeld>(v, [&](int bit) { return roots[bit * stride + k]; });
      roots += kBits * stride;
    }
    butterfly<kHeld>(v);
    if (stride * kHeld == n) return;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kHeld; ++r) line[place_in_line<T>((t - k) * kHeld + k + r * stride)] = v[r];
    read();
  }
}

/// Calls f.operator()<kFirst>() for a power of two from kHeld on.
template <int kHeld, class F>
void with_first_radix(std::int64_t n, F&& f) {
  while (n >= kHeld) n /= kHeld;
  if (n == 1) return f.template operator()<1>();
  if (n == 2) return f.template operator()<2>();
  if constexpr (kHeld == 16) {
    if (n == 8) return f.template operator()<8>();
  }
  f.template operator()<4>();
}

/// Numbers that a thread holds of a line of n: more are fewer exchanges, and shorter pieces of neighbours.
constexpr int held_of(std::int64_t n) { return n >= 1024 ? 16 : 8; }
/// Calls f.operator()<kHeld, kFirst>() for a power of two from 8 on.
template <class F>
void with_line(std::int64_t n, F&& f) {
  if (held_of(n) == 16)
    return with_first_radix<16>(n, [&]<int kFirst>() { f.template operator()<16, kFirst>(); });
  with_first_radix<8>(n, [&]<int kFirst>() { f.template operator()<8, kFirst>(); });
}

}  // namespace tandem
