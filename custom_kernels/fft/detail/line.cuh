#pragma once
// A power of two of numbers, kHeld in the registers of each of n/kHeld threads, which exchange them through shared memory.

#include <vector>

#include "custom_kernels/fft/detail/butterflies.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

inline constexpr int kLongestLine = 4096;  // of those that a block has several of
/// Numbers of the largest block: doubles would not fit into the registers of more threads.
template <class T>
inline constexpr int kBlockNumbers = sizeof(T) == 4 ? 8192 : 4096;

/// Thread t of n/kHeld holds numbers t + m · n/kHeld; so it does behind the transform. All threads of the block call it, each group
/// of n/kHeld with a line of its own. kFirst: n is a power of kHeld times it. roots: line_roots().
///
/// The first pass is the one of another radix, since it needs no roots.
template <int kFirst, int kHeld, class T>
__device__ void transform_line(Complex<T> (&v)[kHeld], SharedPart<T> line, int t, int n,
                               const Complex<T>* roots) {
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
      roots += powers_of_two_below(kHeld) * stride;
    }
    butterfly<kHeld>(v);
    if (stride * kHeld == n) return;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kHeld; ++r) line[place_in_line<T>((t - k) * kHeld + k + r * stride)] = v[r];
    read();
  }
}

/// Of a line of n numbers.
template <class T>
const Complex<T>* line_roots(Context& ctx, std::int64_t n, int held) {
  std::vector<int> radices;
  for (; n >= held; n /= held) radices.push_back(held);
  if (n > 1) radices.insert(radices.begin(), static_cast<int>(n));
  return pass_roots<T>(ctx, radices);
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
