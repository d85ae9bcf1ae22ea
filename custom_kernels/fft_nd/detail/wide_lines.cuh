#pragma once
// Lines by the few passes of fft's wide.

#include "custom_kernels/fft/detail/wide_passes.cuh"
#include "custom_kernels/fft_nd/detail/any_lines.cuh"

namespace tandem {
namespace detail {
/// How a block's threads take its lines: neighbours are of one line, or of neighbouring ones.
struct WideLinesOfBlock {
  int lines, distance;  // distance: from line to line in shared memory
  bool loads_across, stores_across;
};

template <int kMost, class T>
__global__ void __launch_bounds__(kMostWideThreads, (kWideBlocks<T, kMost>))
    fft_nd_wide(const AllLines<T> a, const WideLinesOfBlock s, const __grid_constant__ WidePlan plan,
                const Complex<T>* roots) {
  const int tid = static_cast<int>(threadIdx.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * s.lines;
  const auto block = a.from(first);
  const auto line_of = [&](bool across) { return across ? tid % s.lines : tid / plan.threads; };
  const auto thread = [&](bool across, int line) {
    const int t = across ? tid / s.lines : tid - line * plan.threads;
    return WideThread{t, line * s.distance, t < plan.threads && line < s.lines && line < a.batch - first};
  };
  const int loaded = line_of(s.loads_across), stored = line_of(s.stores_across);
  const WideThread at = thread(s.loads_across, loaded), then = thread(s.stores_across, stored);
  const Lines<T> from = block.alone(at.here ? loaded : 0), to = block.alone(then.here ? stored : 0);
  wide_passes<kMost>(
      plan, at, then, s.lines * s.distance, roots, [&](int j) { return from.load(0, j); },
      [&](int k, Complex<T> x) { to.store(0, k, x); });
}
}  // namespace detail

/// Up to 10,000, of doubles 5,000, of two factors or more and none above 7, and no power of two from 8 on.
inline bool takes_wide_lines(std::int64_t n, std::size_t element_bytes) {
  return takes_wide(n, element_bytes) && !takes_register_lines(n);
}

/// Transforms the lines of a pass, of an extent that takes_wide_lines().
template <class T>
void wide_lines(Context& ctx, const Pass<T>& pass) {
  const AllLines<T> a(pass);
  WidePlan plan = wide_plan<T>(ctx, pass.n);
  const bool loads_across = pass.in_stride > pass.in_distance,
             stores_across = pass.out_stride > pass.out_distance;
  const auto start = [&](int lines, int distance, int threads, std::size_t bytes) {
    const detail::WideLinesOfBlock of_block{lines, distance, loads_across, stores_across};
    with_largest(plan, [&]<int kMost>() {
      launch(ctx, ceil_div(a.batch, lines), threads, bytes, detail::fft_nd_wide<kMost, T>, a, of_block, plan,
             plan.template roots<T>(ctx));
    });
  };
  if (loads_across || stores_across) {
    const WideLines<T> lines(plan, std::min<std::int64_t>(a.batch, kMostWideThreads));
    plan.threads = lines.threads_of_line;
    start(lines.lines, lines.distance, lines.threads, lines.bytes);
  } else {
    const WideBlock<T> block(plan, a.batch);
    start(block.rows, block.places, block.threads, block.shared_bytes());
  }
}

/// Transforms the lines of a pass, of an extent that takes_wide_lines() or takes_any_lines().
template <class T>
void wide_or_any_lines(Context& ctx, const Pass<T>& pass) {
  if (takes_wide_lines(pass.n, sizeof(T)))
    wide_lines(ctx, pass);
  else
    any_lines(ctx, pass);
}

}  // namespace tandem
