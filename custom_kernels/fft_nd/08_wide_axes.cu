// Idea:    axes of lengths that are no powers of two by the few passes of fft's wide. The first pass follows the memory of `in`,
//          along lines or across them, and those behind it that of `out`: threads change lines where they first meet.
// New:     against any_axis, radices up to 25 in place of mixed passes through shared memory, for axes up to 10,000.
// Expect:  the traffic of a copy for each axis, as long as a block has eight lines.
// Limits:  any_axis's, and one axis without prime factors above 7, of two factors at least, that is no power of two from 8 on.
//          Across short lines blocks have few threads.
// Source:  Good 1958, "The interaction algorithm and practical Fourier analysis"; Govindaraju and others 2008, "High performance
//          discrete Fourier transforms on graphics processors".

#include "custom_kernels/fft/detail/wide_passes.cuh"
#include "custom_kernels/fft_nd/detail/any_lines.cuh"

namespace tandem {
namespace {

/// How a block's threads take its lines: neighbours are of one line, or of neighbouring ones.
struct LinesOfBlock {
  int lines, distance;  // distance: from line to line in shared memory
  bool loads_across, stores_across;
};

template <int kMost, class T>
__global__ void __launch_bounds__(kMostWideThreads, (kWideBlocks<T, kMost>))
    fft_nd_wide(const AllLines<T> a, const LinesOfBlock s, const __grid_constant__ WidePlan plan,
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

bool takes_wide_lines(std::int64_t n, std::size_t element_bytes) {
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
    const LinesOfBlock of_block{lines, distance, loads_across, stores_across};
    with_largest(plan, [&]<int kMost>() {
      launch(ctx, ceil_div(a.batch, lines), threads, bytes, fft_nd_wide<kMost, T>, a, of_block, plan,
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

template <class C>
void wide_axes(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) {
    if (takes_wide_lines(pass.n, sizeof(T)))
      wide_lines(ctx, pass);
    else
      any_lines(ctx, pass);
  });
}

std::string refuses(const FftNd::Shape& s, CaseId id) {
  const auto wide = [&](std::int64_t n) { return takes_wide_lines(n, size_of(id.type)); };
  const auto takes = [&](std::int64_t n) { return wide(n) || takes_any_lines(n); };
  return FftNd::points(s.extents) == 0 ||
                 (std::ranges::all_of(s.extents, takes) && std::ranges::any_of(s.extents, wide))
             ? ""
             : "takes any_axis's extents and those up to 10000, of doubles 5000, without prime factors above "
               "7, "
               "one of these of two factors or more and no power of two from 8 on";
}

REGISTER(FftNd, wide_axes, .note = "mixed axes by radices to 25, others as any_axis",
         .depth = levels_of_any_axes, .refuses = refuses)

}  // namespace
}  // namespace tandem
