// Idea:    the four steps with wide's passes: columns of n1 numbers, products with roots of n = n1 · n2, rows of n2.
// New:     against long_convolution, lengths with factors to 7 themselves in place of four times the work of a power of two; against
//          wide, rows that no block holds; against tiles, other factors than two.
// Expect:  twice the traffic of a copy.
// Limits:  from 256 to 2^24 numbers without prime factors above 7 that are products of two lengths of wide, up to 4,096 each. Every
//          number is multiplied by a root that is a product of two from tables.
// Source:  Bailey 1990, "FFTs in external or hierarchical memory"; Good 1958, "The interaction algorithm and practical Fourier
//          analysis".

#include "custom_kernels/fft/detail/four_step.cuh"
#include "custom_kernels/fft/detail/wide_passes.cuh"

namespace tandem {
namespace {

using detail::LongRoots;

constexpr std::int64_t kLeast = 256, kMost = std::int64_t{1} << 24, kLongestSide = 4096;

/// The greater of two lengths of wide that are most nearly alike, of which n is the product; 0 where there are none.
std::int64_t longer_side(std::int64_t n) {
  for (std::int64_t side = 16; side <= kLongestSide; ++side) {
    if (side * side >= n && n % side == 0 && takes_wide(side, sizeof(double)) &&
        takes_wide(n / side, sizeof(double)))
      return side;
  }
  return 0;
}

template <int kRadix, class Args, class T>
__global__ void __launch_bounds__(kMostWideThreads, sizeof(T) == 4 ? 2 : 1)
    fft_wide_columns(const Args a, Complex<T>* columns, const LongRoots<T> long_roots, const WideLines<T> s,
                     const __grid_constant__ WidePlan plan, const Complex<T>* roots) {
  const int tid = static_cast<int>(threadIdx.x), line = tid % s.lines;
  const std::int64_t row = blockIdx.x / s.groups;
  const int c = static_cast<int>(blockIdx.x % s.groups) * s.lines + line;
  const WideThread thread{tid / s.lines, line * s.distance, tid / s.lines < plan.threads && c < s.across};
  Complex<T>* const to = columns + row * plan.n * s.across + c;
  wide_passes<kRadix>(
      plan, thread, thread, s.lines * s.distance, roots,
      [&](int j) { return a.load(row, std::int64_t{j} * s.across + c); },
      [&](int k, Complex<T> x) { to[std::int64_t{k} * s.across] = x * long_roots(k * c); });
}

/// Number k1 of all columns, one behind the other: results k1, k1 + n1, … of a row. Neighbouring threads load neighbours of one line,
/// and store those of neighbouring lines.
template <int kRadix, class Args, class T>
__global__ void __launch_bounds__(kMostWideThreads, sizeof(T) == 4 ? 2 : 1)
    fft_wide_rows(const Args a, const Complex<T>* columns, const WideLines<T> s,
                  const __grid_constant__ WidePlan plan, const Complex<T>* roots) {
  const int tid = static_cast<int>(threadIdx.x), line = tid % s.lines, loaded = tid / plan.threads;
  const std::int64_t row = blockIdx.x / s.groups;
  const int first = static_cast<int>(blockIdx.x % s.groups) * s.lines;
  const Complex<T>* const from = columns + (row * s.across + first + loaded) * plan.n;
  wide_passes<kRadix>(
      plan, {tid - loaded * plan.threads, loaded * s.distance, loaded < s.lines && first + loaded < s.across},
      {tid / s.lines, line * s.distance, tid / s.lines < plan.threads && first + line < s.across},
      s.lines * s.distance, roots, [&](int j) { return from[j]; },
      [&](int k, Complex<T> x) { a.store(row, std::int64_t{k} * s.across + first + line, x); });
}

template <class C>
void wide_tiles(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  using Args = typename C::Args;
  const std::int64_t n1 = longer_side(a.n), n2 = a.n / n1;
  auto* columns = ctx.scratch<Complex<T>>(a.n * a.batch);
  int low_bits = 3;
  while (std::int64_t{1} << (2 * low_bits) < a.n) ++low_bits;
  const std::int64_t low = std::int64_t{1} << low_bits;
  const LongRoots<T> long_roots{stepped_roots<T>(ctx, a.n, low), first_roots<T>(ctx, a.n, low), low_bits};
  const auto start = [&](std::int64_t length, std::int64_t across, auto kernel_of, const auto&... args) {
    WidePlan plan = wide_plan<T>(ctx, length);
    const WideLines<T> lines(plan, across);
    plan.threads = lines.threads_of_line;
    const auto with = [&](auto kernel) {
      launch(ctx, a.batch * lines.groups, lines.threads, lines.bytes, kernel, a, args..., lines, plan,
             plan.template roots<T>(ctx));
    };
    if (plan.largest() <= 16)
      with(kernel_of.template operator()<16>());
    else
      with(kernel_of.template operator()<25>());
  };
  start(
      n1, n2, []<int kRadix>() { return fft_wide_columns<kRadix, Args, T>; }, columns, long_roots);
  start(
      n2, n1, []<int kRadix>() { return fft_wide_rows<kRadix, Args, T>; },
      static_cast<const Complex<T>*>(columns));
}

std::string refuses(const Fft::Shape& s, CaseId) {
  return s.n == 0 || (s.n >= kLeast && s.n <= kMost && Fft::is_smooth(s.n) && longer_side(s.n) > 0)
             ? ""
             : "takes products of two lengths up to 4096 without prime factors above 7, from 256 to 2^24";
}

REGISTER(
    Fft, wide_tiles, .note = "the four steps for lengths of 2, 3, 5 and 7", .depth = Fft::levels,
    .refuses = refuses, .suits = [](const Fft::Shape& s) { return !takes_wide(s.n, sizeof(double)); })

}  // namespace
}  // namespace tandem
