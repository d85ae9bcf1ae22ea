// Idea:    a launch for each axis, a thread for each result, by the definition; between axes the grids lie in scratch.
// Expect:  8 n operations for each result of an axis of n. Lanes of a warp take one line, whose numbers all of them read.
// Limits:  n² operations for each line; two copies of the grids as scratch.

#include "custom_kernels/fft/detail/definition.h"
#include "custom_kernels/fft_nd/detail/passes.h"
#include "lib/ops/fft/constants.h"
#include "tandem/device/launch.cuh"

namespace tandem {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void fft_nd_naive(const AllLines<T> lines, const Complex<T>* roots) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= lines.n * lines.batch) return;
  const std::int64_t line = i / lines.n, k = i % lines.n;
  const Pass<T>& pass = lines.pass;
  const Lines<T> sheet = pass.sheet(line / pass.batch);
  sheet.store(line % pass.batch, k, by_definition(sheet, line % pass.batch, k, roots));
}

template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const GridLayout between = FftNd::contiguous(a.extents);
  const std::int64_t numbers = a.batch * between.distance;
  auto* first = ctx.scratch<Complex<T>>(numbers);
  auto* second = ctx.scratch<Complex<T>>(numbers);
  const auto transform = [&](std::size_t axis, const Complex<T>* in, const GridLayout& from, Complex<T>* out,
                             const GridLayout& to, T factor) {
    const AllLines<T> lines(pass_along(a, axis, in, from, out, to, factor));
    launch(ctx, ceil_div(numbers, kThreads), kThreads, 0, fft_nd_naive<T>, lines, roots<T>(ctx, lines.n));
  };
  transform(2, a.in, a.from, first, between, 1);
  transform(1, first, between, second, between, 1);
  transform(0, second, between, a.out, a.to, a.factor);
}

REGISTER(
    FftNd, naive, .note = "the definition along each axis, a thread for each result",
    .suits = [](const FftNd::Shape& s) { return std::ranges::max(s.extents) <= 16; })

}  // namespace
}  // namespace tandem
