#pragma once
// A line of numbers whose length and radices are known when it is compiled, kHeld of them in the registers of each thread. Threads
// exchange real and imaginary parts one after the other, through half the shared memory of whole numbers.

#include "custom_kernels/fft/detail/butterflies.h"
#include "custom_kernels/fft/detail/shared_part.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// The same number, of which the compiler knows nothing: in a loop, places and addresses that follow from it are computed where they
/// are needed, and not kept in registers from turn to turn.
__device__ inline int made_anew(int x) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(x));
#endif
  return x;
}

/// A thread of a line: its number among the line's, and where the line's parts begin in the dynamic shared memory.
struct ThreadOfLine {
  int t, begin;
};

/// What tells lines apart: numbers of a thread; after how many parts a place in shared memory is left free; and the distance of two
/// parts, where several lines lie between each other.
template <class Part, int kHeldNumbers, int kFreeAfter, int kPartDistance>
struct PartsLayout {
  using T = Part;
  static constexpr int kHeld = kHeldNumbers, kFree = kFreeAfter, kDistance = kPartDistance;
  TANDEM_HD static constexpr int place(int i) { return (i + i / kFree) * kDistance; }
};
/// Of a line by itself: neighbours of one thread and the same numbers of neighbouring threads lie in different banks.
template <class T, int kHeld>
using PlainLayout = PartsLayout<T, kHeld, 128 / static_cast<int>(sizeof(T)), 1>;

/// The radices, each a divisor of the numbers of a thread, have the line's length as their product.
template <class Layout, int... kRadices>
struct PartsLine {
  using T = typename Layout::T;
  static constexpr int kHeld = Layout::kHeld, kNumbers = (kRadices * ... * 1), kThreads = kNumbers / kHeld;
  static constexpr int kPasses = sizeof...(kRadices);
  static constexpr int kRadix[kPasses] = {kRadices...};
  static constexpr int kPlaces = kNumbers + kNumbers / Layout::kFree;  // of a line by itself
  static_assert(kThreads % Layout::kFree == 0 || Layout::kFree % kThreads == 0);

  static const Complex<T>* roots(Context& ctx) { return pass_roots<T>(ctx, kRadix); }

  /// Thread t holds numbers t + m · kThreads, and so does thread `to` of the transform, which may be of another line. All threads of
  /// the block call it. Of what shared memory held before, all has been read when the block next meets.
  template <int kPass = 0, int kStride = 1>
  __device__ static void transform(Complex<T> (&v)[kHeld], ThreadOfLine at, ThreadOfLine to,
                                   const Complex<T>* roots) {
    constexpr int R = kRadix[kPass], kEach = kHeld / R;
    static_assert(kHeld % R == 0);
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      Complex<T> u[R];
#pragma unroll
      for (int r = 0; r < R; ++r) u[r] = v[i + r * kEach];
      const int k = (at.t + i * kThreads) % kStride;
      if constexpr (kPass > 0) turn_in_fours<R>(u, [&](int bit) { return roots[bit * kStride + k]; });
      butterfly<R>(u);
#pragma unroll
      for (int r = 0; r < R; ++r) v[i + r * kEach] = u[r];
    }
    if constexpr (kPass + 1 < kPasses) {
      const ThreadOfLine next = kPass + 2 == kPasses ? to : at;
      exchange<R, kStride>(v, &Complex<T>::re, at, next);
      exchange<R, kStride>(v, &Complex<T>::im, at, next);
      transform<kPass + 1, kStride * R>(v, next, to,
                                        kPass > 0 ? roots + powers_of_two_below(R) * kStride : roots);
    }
  }
  __device__ static void transform(Complex<T> (&v)[kHeld], ThreadOfLine at, const Complex<T>* roots) {
    transform(v, at, at, roots);
  }

 private:
  /// One part of the results of a pass of radix R, behind those whose product is kStride, for the threads that take them next.
  template <int R, int kStride>
  __device__ static void exchange(Complex<T> (&v)[kHeld], T Complex<T>::*part, ThreadOfLine at,
                                  ThreadOfLine next) {
    constexpr int kEach = kHeld / R;
    __syncthreads();  // what was read before is no longer needed
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int j = at.t + i * kThreads, k = j % kStride;
#pragma unroll
      for (int r = 0; r < R; ++r)
        dynamic_shared<T>()[at.begin + Layout::place((j - k) * R + k + r * kStride)] = v[i + r * kEach].*part;
    }
    __syncthreads();
    const int first = next.begin + Layout::place(next.t);
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m].*part = dynamic_shared<T>()[first + Layout::place(m * kThreads)];
  }
};

}  // namespace tandem
