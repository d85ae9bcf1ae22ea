#pragma once
// Rows of a power of two of numbers, each by n/kHeld threads of a block, which has one or several.

#include <algorithm>
#include <utility>

#include "custom_kernels/fft/detail/line.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// One row of a call: of its own where the call has alone(row), which knows where the row begins.
template <class Args>
struct OneRow {
  const Args& a;
  std::int64_t row;
  __device__ auto load(std::int64_t j) const { return a.load(row, j); }
  template <class T>
  __device__ void store(std::int64_t k, const Complex<T>& x) const {
    a.store(row, k, x);
  }
};
template <class Args>
requires requires(const Args& a) { a.alone(0); }
struct OneRow<Args> {
  decltype(std::declval<Args>().alone(0)) alone;
  __device__ OneRow(const Args& a, std::int64_t row) : alone(a.alone(row)) {}
  __device__ auto load(std::int64_t j) const { return alone.load(0, j); }
  template <class T>
  __device__ void store(std::int64_t k, const Complex<T>& x) const {
    alone.store(0, k, x);
  }
};

/// finish(row, t, threads, line, v): what is done with results t + m · threads, which a thread holds in v; line: the row's part of
/// shared memory. Threads without a row call it, too.
template <int kHeld, int kFirst, class Args, class T, class Finish>
__device__ void transform_rows(const Args& a, int n, const Complex<T>* roots, Finish finish) {
  const int threads = n / kHeld, line = static_cast<int>(threadIdx.x) / threads;
  const int t = static_cast<int>(threadIdx.x) % threads, lines = static_cast<int>(blockDim.x) / threads;
  const std::int64_t row = std::int64_t{blockIdx.x} * lines + line;
  Complex<T> v[kHeld]{};
  if (row < a.batch) {
    const OneRow<Args> in{a, row};
#pragma unroll
    for (int m = 0; m < kHeld; ++m) v[m] = in.load(t + m * threads);
  }
  const SharedPart<T> part{line * line_size<T>(n)};
  transform_line<kFirst>(v, part, t, n, roots);
  finish(row, t, threads, part, v);
}
template <int kHeld, int kFirst, class Args, class T>
__device__ void transform_rows(const Args& a, int n, const Complex<T>* roots) {
  transform_rows<kHeld, kFirst>(a, n, roots, [&](std::int64_t row, int t, int threads, auto, auto& v) {
    if (row >= a.batch) return;
    const OneRow<Args> out{a, row};
#pragma unroll
    for (int m = 0; m < kHeld; ++m) out.store(t + m * threads, v[m]);
  });
}

inline constexpr int kFewThreads = 256;  // of blocks of which a multiprocessor is to have several
/// Numbers of a row that the shared memory of a multiprocessor holds.
template <class T>
inline constexpr int kLongestRow = sizeof(T) == 4 ? 16384 : 8192;
/// Threads of the largest block with rows of up to kFewThreads · 16 numbers, and of longer ones.
template <class T, bool kLong>
inline constexpr int kRowThreads = kLong ? kLongestRow<T> / 16 : kFewThreads;
/// Blocks that are to fit into a multiprocessor's registers.
template <class T, bool kLong>
inline constexpr int kRowBlocks = kLong            ? 1
                                  : sizeof(T) == 4 ? 3
                                                   : 2;

/// Launches a kernel of threads that hold kHeld numbers of a row each.
template <int kHeld, class T, class Args>
void launch_rows(Context& ctx, const Args& a, void (*kernel)(Args, int, const Complex<T>*)) {
  constexpr int kThreads = 128;  // of a block, where rows are short
  const int n = static_cast<int>(a.n), threads = n / kHeld, lines = std::max(kThreads / threads, 1);
  launch(ctx, ceil_div(a.batch, lines), threads * lines,
         static_cast<std::size_t>(lines * line_size<T>(n)) * sizeof(Complex<T>), kernel, a, n,
         line_roots<T>(ctx, n, kHeld));
}

}  // namespace tandem
