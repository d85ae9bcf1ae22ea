#pragma once
// Lines of powers of two, eight or sixteen numbers in the registers of a thread.

#include <algorithm>

#include "custom_kernels/fft/detail/line.cuh"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

inline bool takes_register_lines(std::int64_t n) {
  return Fft::is_power_of_two(n) && n >= held_of(n) && n <= kLongestLine;
}

namespace detail {
/// Neighbouring lanes hold neighbouring lines, or, where numbers of a line lie side by side, those of one.
template <int kHeld, int kFirst, class T>
__global__ void __launch_bounds__(kBlockNumbers<T> / kHeld)
    fft_nd_registers(const AllLines<T> a, int n, int lines, bool across, const Complex<T>* roots) {
  const int threads = n / kHeld, tid = static_cast<int>(threadIdx.x);
  const int line = across ? tid % lines : tid / threads, t = across ? tid / lines : tid % threads;
  const std::int64_t first = std::int64_t{blockIdx.x} * lines;
  const bool here = line < a.batch - first;
  const Lines<T> mine = a.from(first).alone(here ? line : 0);
  Complex<T> v[kHeld]{};
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    if (here) v[m] = mine.load(0, t + m * threads);
  }
  transform_line<kFirst>(v, SharedPart<T>{line * line_size<T>(n)}, t, n, roots);
#pragma unroll
  for (int m = 0; m < kHeld; ++m) {
    if (here) mine.store(0, t + m * threads, v[m]);
  }
}
}  // namespace detail

/// Transforms the lines of a pass, of an extent that takes_register_lines().
template <class T>
void register_lines(Context& ctx, const Pass<T>& pass) {
  constexpr int kThreads = 128;                     // of a block, where lines are short
  constexpr int kAcross = 64 / sizeof(Complex<T>);  // neighbouring lines: whole sectors
  const AllLines<T> a(pass);
  const int n = static_cast<int>(pass.n), held = held_of(n), threads = n / held;
  const bool across = pass.in_stride > pass.in_distance || pass.out_stride > pass.out_distance;
  const int most = kBlockNumbers<T> / n, wanted = std::max(kThreads / threads, across ? kAcross : 1);
  const int lines = std::min(most, wanted);
  with_line(pass.n, [&]<int kHeld, int kFirst>() {
    launch(ctx, ceil_div(a.batch, lines), threads * lines,
           static_cast<std::size_t>(lines * line_size<T>(n)) * sizeof(Complex<T>),
           detail::fft_nd_registers<kHeld, kFirst, T>, a, n, lines, across, line_roots<T>(ctx, n, held));
  });
}

}  // namespace tandem
