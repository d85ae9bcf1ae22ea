#pragma once
// Real rows in shared memory.

#include "custom_kernels/fft/detail/mixed.cuh"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// Halves of even lengths, and odd ones, up to 4,096 without prime factors above 7.
inline bool takes_shared_rows(std::int64_t n) {
  return complex_length(n) <= kLongestMixed && Fft::is_smooth(complex_length(n));
}

namespace detail {
template <class Way, class T>
__device__ void store_rows(const Way& way, std::int64_t row0, int n, int numbers, MixedRows<T> done) {
  for (int i = static_cast<int>(threadIdx.x); i < numbers; i += static_cast<int>(blockDim.x))
    way.store(row0 + i / n, i % n, done[i]);
}
template <class Way, class T>
__device__ void split_rows(const Way& way, std::int64_t row0, int n, int rows, MixedRows<T> done) {
  const int pairs = static_cast<int>(way.pairs());
  for (int i = static_cast<int>(threadIdx.x); i < rows * pairs; i += static_cast<int>(blockDim.x))
    way.split(row0 + i / pairs, i % pairs, done + i / pairs * n);
}

template <class Way, class T>
__global__ void real_fft_shared(const Way way, int rows, const MixedPasses passes, const Complex<T>* roots) {
  const int n = passes.n;
  const std::int64_t row0 = std::int64_t{blockIdx.x} * rows;
  const int here = static_cast<int>(min(std::int64_t{rows}, way.batch - row0)), numbers = n * here;
  const MixedRows<T> loaded{{0}};
  load_rows(loaded, passes, numbers, [&](int row, int j) { return way.load(row0 + row, j); });
  const auto done = mixed_passes(loaded, {{line_size<T>(n * rows)}}, passes, numbers, roots);
  if constexpr (requires { way.pairs(); }) {
    if (way.splits()) return split_rows(way, row0, n, here, done);
  }
  store_rows(way, row0, n, numbers, done);
}

template <class Way, class T = decltype(Way::a.factor)>
void transform_shared_rows(Context& ctx, const Way& way) {
  const MixedBlock<T> block(way.n, way.batch);
  const MixedPasses passes(way.n);
  launch(ctx, ceil_div(way.batch, block.rows), block.threads(), block.shared_bytes(), real_fft_shared<Way, T>,
         way, block.rows, passes, passes.template roots<T>(ctx));
}
}  // namespace detail

/// Transforms rows of a length that takes_shared_rows(); a: real_fft's arguments, or what has their functions.
template <class Args, class T = decltype(Args::factor)>
void shared_rows(Context& ctx, const Args& a) {
  if (a.n % 2 == 0)
    detail::transform_shared_rows(ctx, PackedWay(a, roots<T>(ctx, a.n)));
  else
    detail::transform_shared_rows(ctx, PlainWay(a));
}

}  // namespace tandem
