#pragma once
// Lines of extents without prime factors above 7 in shared memory.

#include "custom_kernels/fft/detail/mixed.cuh"
#include "custom_kernels/fft_nd/detail/passes.h"

namespace tandem {

inline bool takes_shared_lines(std::int64_t n) { return n <= kLongestMixed && Fft::is_smooth(n); }

namespace detail {
/// Of neighbouring lanes: numbers of one line where they lie side by side, else those of neighbouring lines.
struct LaneOrder {
  bool across;
  __device__ int line(int i, int n, int lines) const { return across ? i % lines : i / n; }
  __device__ int number(int i, int n, int lines) const { return across ? i / lines : i % n; }
};

template <class T>
__global__ void fft_nd_shared(const AllLines<T> a, int lines, LaneOrder in_order, LaneOrder out_order,
                              const MixedPasses passes, const Complex<T>* roots) {
  const int n = passes.n, tid = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * lines;
  const int here = static_cast<int>(min(std::int64_t{lines}, a.batch - first)), numbers = n * here;
  const auto block = a.from(first);
  const MixedRows<T> loaded{{0}};
  for (int i = tid; i < numbers; i += threads) {
    const int line = in_order.line(i, n, here), j = in_order.number(i, n, here);
    loaded[line * n + j] = block.alone(line).load(0, j);
  }
  const auto done = mixed_passes(loaded, {{line_size<T>(n * lines)}}, passes, numbers, roots);
  for (int i = tid; i < numbers; i += threads) {
    const int line = out_order.line(i, n, here), k = out_order.number(i, n, here);
    block.alone(line).store(0, k, done[line * n + k]);
  }
}
}  // namespace detail

/// Transforms the lines of a pass, of an extent that takes_shared_lines().
template <class T>
void shared_lines(Context& ctx, const Pass<T>& pass) {
  const AllLines<T> lines(pass);
  const detail::LaneOrder in_order{pass.in_stride > pass.in_distance},
      out_order{pass.out_stride > pass.out_distance};
  // Lines across lanes are read in pieces as long as there are lines in a block.
  const int numbers = in_order.across || out_order.across ? kLongestMixed : kShortRows;
  const MixedBlock<T> block(pass.n, lines.batch, numbers);
  const MixedPasses passes(pass.n);
  launch(ctx, ceil_div(lines.batch, block.rows), block.threads(), block.shared_bytes(),
         detail::fft_nd_shared<T>, lines, block.rows, in_order, out_order, passes,
         passes.template roots<T>(ctx));
}

}  // namespace tandem
