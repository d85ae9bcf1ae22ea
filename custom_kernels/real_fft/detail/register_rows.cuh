#pragma once
// Real rows of powers of two, eight or sixteen pairs in the registers of a thread.

#include "custom_kernels/fft/detail/rows.cuh"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {

/// From 16 to 32,768, of doubles to 16,384.
inline bool takes_register_rows(std::int64_t n, std::size_t element_bytes) {
  const std::int64_t longest = 2 * (element_bytes == 4 ? kLongestRow<float> : kLongestRow<double>);
  return Fft::is_power_of_two(n) && n >= 16 && n <= longest;
}

namespace detail {
/// Z of a row, as its line of shared memory has it.
template <class T>
struct LineOfPairs {
  SharedPart<T> part;
  __device__ const Complex<T>& operator[](std::int64_t i) const {
    return part[place_in_line<T>(static_cast<int>(i))];
  }
};

template <int kHeld, int kFirst, bool kLong, class Way, class T>
__global__ void __launch_bounds__((kRowThreads<T, kLong>), (kRowBlocks<T, kLong>))
    real_fft_registers(const Way way, int n, const Complex<T>* roots) {
  if (!way.splits()) return transform_rows<kHeld, kFirst>(way, n, roots);
  const auto split = [&](std::int64_t row, int t, int threads, SharedPart<T> line, auto& v) {
    __syncthreads();
#pragma unroll
    for (int m = 0; m < kHeld; ++m) line[place_in_line<T>(t + m * threads)] = v[m];
    __syncthreads();
    if (row >= way.batch) return;
    const auto of_row = way.alone(row);
    for (int k = t; k < way.pairs(); k += threads) of_row.split(0, k, LineOfPairs<T>{line});
  };
  transform_rows<kHeld, kFirst>(way, n, roots, split);
}
}  // namespace detail

/// Transforms rows of a length that takes_register_rows(); a: real_fft's arguments, or what has their functions.
template <class Args, class T = decltype(Args::factor)>
void register_rows(Context& ctx, const Args& a) {
  using Way = PackedWay<Args>;
  const Way way(a, roots<T>(ctx, a.n));
  with_line(way.n, [&]<int kHeld, int kFirst>() {
    if (way.n <= kFewThreads * kHeld)
      launch_rows<kHeld>(ctx, way, detail::real_fft_registers<kHeld, kFirst, false, Way, T>);
    else
      launch_rows<kHeld>(ctx, way, detail::real_fft_registers<kHeld, kFirst, true, Way, T>);
  });
}

}  // namespace tandem
