#pragma once
// Real rows by the definition, a thread for each result.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/real_fft/detail/ways.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace detail {
template <class Way, class T>
__global__ void real_fft_naive(const Way way, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, results = way.results();
  if (i >= results * way.batch) return;
  const std::int64_t row = i / results, k = i % results;
  way.store(row, k, by_definition(way, row, k, roots));
}
}  // namespace detail

/// Transforms rows, not in place; a: real_fft's arguments, or what has their functions.
template <class Args, class T = decltype(Args::factor)>
void naive_rows(Context& ctx, const Args& a) {
  constexpr int kThreads = 256;
  const PlainWay way(a);
  launch(ctx, ceil_div(way.results() * a.batch, kThreads), kThreads, 0,
         detail::real_fft_naive<PlainWay<Args>, T>, way, roots<T>(ctx, a.n));
}

}  // namespace tandem
