#pragma once
// Lines by the definition, a thread for each result.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace detail {
template <class T>
__global__ void fft_nd_naive(const AllLines<T> lines, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= lines.n * lines.batch) return;
  const std::int64_t line = i / lines.n, k = i % lines.n;
  const Pass<T>& pass = lines.pass;
  const Lines<T> sheet = pass.sheet(line / pass.batch);
  sheet.store(line % pass.batch, k, by_definition(sheet, line % pass.batch, k, roots));
}
}  // namespace detail

/// Transforms the lines of a pass, not in place.
template <class T>
void naive_lines(Context& ctx, const Pass<T>& pass) {
  constexpr int kThreads = 256;
  const AllLines<T> lines(pass);
  launch(ctx, ceil_div(lines.n * lines.batch, kThreads), kThreads, 0, detail::fft_nd_naive<T>, lines,
         roots<T>(ctx, lines.n));
}

}  // namespace tandem
