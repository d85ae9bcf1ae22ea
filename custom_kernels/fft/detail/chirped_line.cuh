#pragma once
// Bluestein's convolution of a line that a block holds: any length, by two transforms of a power of two.

#include <algorithm>

#include "custom_kernels/fft/detail/line.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

constexpr bool takes_chirped_line(std::int64_t n) { return Fft::convolution_size(n) <= kLongestLine; }

/// Thread t of m/kHeld holds numbers t + i · m/kHeld of a line of n, and so its transform's; what lies behind n is not looked at,
/// and is none afterwards. Otherwise as transform_line of m numbers.
template <int kFirst, int kHeld, class T>
__device__ void transform_chirped_line(Complex<T> (&v)[kHeld], SharedPart<T> line, int t, const Chirp<T>& c,
                                       const Complex<T>* roots) {
  const int n = static_cast<int>(c.n), m = static_cast<int>(c.m), threads = m / kHeld;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int j = t + i * threads;
    v[i] = j < n ? v[i] * c.chirp[j] : Complex<T>{0, 0};
  }
  transform_line<kFirst>(v, line, t, m, roots);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) v[i] = swapped(v[i] * c.spectrum[t + i * threads]);
  transform_line<kFirst>(v, line, t, m, roots);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int k = t + i * threads;
    if (k < n) v[i] = swapped(v[i]) * c.chirp[k];
  }
}

/// The row of a thread, of those that a block has.
template <int kHeld, class T>
struct ChirpedRow {
  int threads, t;  // of a row; the thread's number among them
  std::int64_t row;
  SharedPart<T> exchange;
  __device__ explicit ChirpedRow(const Chirp<T>& c) {
    const int m = static_cast<int>(c.m), tid = static_cast<int>(threadIdx.x);
    threads = m / kHeld, t = tid % threads;
    row = std::int64_t{blockIdx.x} * (static_cast<int>(blockDim.x) / threads) + tid / threads;
    exchange = {tid / threads * line_size<T>(m)};
  }
};

/// Launches a kernel that transforms lines of a call's rows so: kernel_of.operator()<kHeld, kFirst>().
template <class T, class Args, class Kernel>
void launch_chirped_rows(Context& ctx, const Args& a, Kernel kernel_of) {
  constexpr int kThreads = 128;  // of a block, where rows are short
  const Chirp<T> c = chirp_of<T>(ctx, a.n);
  const int m = static_cast<int>(c.m), held = held_of(m), threads = m / held;
  const int lines = std::max(kThreads / threads, 1);
  with_line(c.m, [&]<int kHeld, int kFirst>() {
    launch(ctx, ceil_div(a.batch, lines), threads * lines,
           static_cast<std::size_t>(lines * line_size<T>(m)) * sizeof(Complex<T>),
           kernel_of.template operator()<kHeld, kFirst>(), a, c, line_roots<T>(ctx, m, held));
  });
}

}  // namespace tandem
