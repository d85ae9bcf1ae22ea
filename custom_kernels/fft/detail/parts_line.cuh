#pragma once
// A line of numbers whose length and radices are known when it is compiled, kHeld of them in the registers of each thread. Threads
// exchange real and imaginary parts one after the other, through half the shared memory of whole numbers.

#include "custom_kernels/fft/detail/butterflies.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// From one place of the dynamic shared memory on, in parts of numbers.
template <class T>
struct SharedParts {
  int begin;
  __device__ T& operator[](int i) const { return dynamic_shared<T>()[begin + i]; }
};

/// The same number, of which the compiler knows nothing: in a loop, places and addresses that follow from it are computed where they
/// are needed, and not kept in registers from turn to turn.
__device__ inline int made_anew(int x) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(x));
#endif
  return x;
}

/// Radices whose product is the line's length, each a divisor of kHeld; so many threads have a line that its parts fill whole
/// rounds of the banks.
template <class Part, int kHeld, int... kRadices>
struct PartsLine {
  using T = Part;
  static constexpr int kNumbers = (kRadices * ... * 1), kOfThread = kHeld, kThreads = kNumbers / kHeld;
  static constexpr int kPasses = sizeof...(kRadices), kRadix[] = {kRadices...};
  static constexpr int kRound = 128 / static_cast<int>(sizeof(T));  // parts in all banks
  static_assert(kThreads % kRound == 0);

  /// Where part i lies: one place of a round is left free, so that neighbours of one thread and the same numbers of neighbouring
  /// threads lie in different banks.
  TANDEM_HD static constexpr int place(int i) { return i + i / kRound; }
  static constexpr int kPlaces = kNumbers + kNumbers / kRound;

  static const Complex<T>* roots(Context& ctx) { return pass_roots<T>(ctx, kRadix); }

  /// Thread t holds numbers t + m · kThreads, and so it does of the transform. All threads of the block call it. `parts`: kPlaces
  /// for each line; of what they held before, all has been read when the block next meets.
  template <int kPass = 0, int kStride = 1>
  __device__ static void transform(Complex<T> (&v)[kHeld], SharedParts<T> parts, int t,
                                   const Complex<T>* roots) {
    constexpr int R = kRadix[kPass], kEach = kHeld / R, kBits = powers_of_two_below(R);
    static_assert(kHeld % R == 0);
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      Complex<T> u[R];
#pragma unroll
      for (int r = 0; r < R; ++r) u[r] = v[i + r * kEach];
      const int k = (t + i * kThreads) % kStride;
      if constexpr (kPass > 0) turn<R>(u, [&](int bit) { return roots[bit * kStride + k]; });
      butterfly<R>(u);
#pragma unroll
      for (int r = 0; r < R; ++r) v[i + r * kEach] = u[r];
    }
    if constexpr (kPass + 1 < kPasses) {
      exchange<R, kStride>(v, parts, t);
      transform<kPass + 1, kStride * R>(v, parts, t, kPass > 0 ? roots + kBits * kStride : roots);
    }
  }

 private:
  /// Results of a pass of radix R behind those of product kStride change places: after it, the thread holds numbers
  /// t + m · kThreads of what the next pass takes.
  template <int R, int kStride>
  __device__ static void exchange(Complex<T> (&v)[kHeld], SharedParts<T> parts, int t) {
    exchange<R, kStride>(v, &Complex<T>::re, parts, t);
    exchange<R, kStride>(v, &Complex<T>::im, parts, t);
  }
  template <int R, int kStride>
  __device__ static void exchange(Complex<T> (&v)[kHeld], T Complex<T>::*part, SharedParts<T> parts, int t) {
    constexpr int kEach = kHeld / R;
    __syncthreads();  // what was read before is no longer needed
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int j = t + i * kThreads, k = j % kStride;
#pragma unroll
      for (int r = 0; r < R; ++r) parts[place((j - k) * R + k + r * kStride)] = v[i + r * kEach].*part;
    }
    __syncthreads();
    const int first = place(t);
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m].*part = parts[first + m * place(kThreads)];
  }
};

}  // namespace tandem
