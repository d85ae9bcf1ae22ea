#pragma once
// Rows of a power of two of numbers, each by n/kHeld threads of a block, which has one or several.

#include <algorithm>

#include "custom_kernels/fft/detail/line.cuh"
#include "lib/ops/fft/constants.h"

namespace tandem {

template <int kHeld, int kFirst, class Args, class T>
__device__ void transform_rows(const Args& a, int n, const Complex<T>* roots) {
  const int threads = n / kHeld, line = static_cast<int>(threadIdx.x) / threads;
  const int t = static_cast<int>(threadIdx.x) % threads, lines = static_cast<int>(blockDim.x) / threads;
  const std::int64_t row = std::int64_t{blockIdx.x} * lines + line;
  Complex<T> v[kHeld]{};
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    if (row < a.batch) v[m] = a.load(row, t + m * threads);
  }
  transform_line<kFirst>(v, SharedPart<T>{line * line_size<T>(n)}, t, n, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    if (row < a.batch) a.store(row, t + m * threads, v[m]);
  }
}

/// Launches a kernel that calls it.
template <int kHeld, class T, class Args>
void launch_rows(Context& ctx, const Args& a, void (*kernel)(Args, int, const Complex<T>*)) {
  constexpr int kThreads = 128;  // of a block, where rows are short
  const int n = static_cast<int>(a.n), threads = n / kHeld, lines = std::max(kThreads / threads, 1);
  launch(ctx, ceil_div(a.batch, lines), threads * lines,
         static_cast<std::size_t>(lines * line_size<T>(n)) * sizeof(Complex<T>), kernel, a, n,
         line_roots<T>(ctx, n, kHeld));
}

}  // namespace tandem
