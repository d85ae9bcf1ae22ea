#pragma once
// Real rows by the few passes of fft's wide.

#include "custom_kernels/fft/detail/wide_passes.cuh"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"

namespace tandem {

/// Halves of even lengths, and odd ones, up to 10,000, of doubles 5,000, of two factors or more and none above 7.
inline bool takes_wide_rows(std::int64_t n, std::size_t element_bytes) {
  return takes_wide(complex_length(n), element_bytes);
}

namespace detail {
/// Calls what(k) for the smaller number k of each pair of a thread.
template <class Way, class What>
__device__ void each_pair(const Way& way, const WidePlan& plan, const WideThread& thread, const What& what) {
  const int pairs = static_cast<int>(way.pairs());
  for (int k = thread.here ? thread.t : pairs; k < pairs; k += plan.threads) what(k);
}

template <int kMost, bool kInverse, bool kPairs, class Way, class T>
__global__ void __launch_bounds__(kMostWideThreads, (kWideBlocks<T, kMost>))
    real_fft_wide_rows(const Way of_all, int rows, int places, const __grid_constant__ WidePlan plan,
                       const Complex<T>* roots) {
  const int tid = static_cast<int>(threadIdx.x), mine = tid / plan.threads, buffer = rows * places;
  const std::int64_t row = std::int64_t{blockIdx.x} * rows + mine;
  const WideThread thread{tid - mine * plan.threads, mine * places, mine < rows && row < of_all.batch};
  auto way = of_all.alone(row);
  way.a.inverse = kInverse;  // the compiler leaves the other direction out
  // Pairs lie in the buffer that the first pass does not write, or that the last one does not read.
  const SharedPart<T> z{thread.begin + (kInverse ? 1 : plan.free_buffer()) * buffer};
  if constexpr (kPairs && kInverse) {
    each_pair(way, plan, thread, [&](int k) { way.join(0, k, z); });
    __syncthreads();
  }
  wide_passes<kMost>(
      plan, thread, thread, buffer, roots,
      [&](int j) {
        if constexpr (kPairs && kInverse)
          return Complex<T>(z[j]);
        else
          return way.load(0, j);
      },
      [&](int k, Complex<T> x) {
        if constexpr (kPairs && !kInverse)
          z[k] = x;
        else
          way.store(0, k, x);
      });
  if constexpr (kPairs && !kInverse) {
    __syncthreads();
    each_pair(way, plan, thread, [&](int k) { way.split(0, k, z); });
  }
}

template <bool kInverse, bool kPairs, class Way, class T = decltype(Way::a.factor)>
void transform_wide_rows(Context& ctx, const Way& way) {
  const WidePlan& plan = wide_plan<T>(ctx, way.n);
  const WideBlock<T> block(plan, way.batch, kPairs ? 2 : plan.buffers());
  with_largest(plan, [&]<int kMost>() {
    launch(ctx, ceil_div(way.batch, block.rows), block.threads, block.shared_bytes(),
           real_fft_wide_rows<kMost, kInverse, kPairs, Way, T>, way, block.rows, block.places, plan,
           plan.template roots<T>(ctx));
  });
}
template <bool kPairs, class Way>
void transform_wide_rows(Context& ctx, const Way& way) {
  way.a.inverse ? transform_wide_rows<true, kPairs>(ctx, way) : transform_wide_rows<false, kPairs>(ctx, way);
}
}  // namespace detail

/// Transforms rows of a length that takes_wide_rows(); a: real_fft's arguments, or what has their functions.
template <class Args, class T = decltype(Args::factor)>
void wide_rows(Context& ctx, const Args& a) {
  if (a.n % 2 != 0)
    detail::transform_wide_rows<false>(ctx, PlainWay(a));
  else
    detail::transform_wide_rows<true>(ctx, PackedWay(a, roots<T>(ctx, a.n)));
}

}  // namespace tandem
