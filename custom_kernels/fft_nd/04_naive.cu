// Idea:    a launch for each axis, a thread for each result, by the definition; between axes the grids lie in scratch.
// Expect:  8 n operations for each result of an axis of n. Lanes of a warp take one line, whose numbers all of them read.
// Limits:  n² operations for each line; two copies of the grids as scratch.

#include "custom_kernels/fft_nd/detail/naive_lines.cuh"

namespace tandem {
namespace {

template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const GridLayout between = FftNd::contiguous(a.extents);
  const std::int64_t numbers = a.batch * between.distance;
  auto* first = ctx.scratch<Complex<T>>(numbers);
  auto* second = ctx.scratch<Complex<T>>(numbers);
  const auto transform = [&](std::size_t axis, const Complex<T>* in, const GridLayout& from, Complex<T>* out,
                             const GridLayout& to,
                             T factor) { naive_lines(ctx, pass_along(a, axis, in, from, out, to, factor)); };
  transform(2, a.in, a.from, first, between, 1);
  transform(1, first, between, second, between, 1);
  transform(0, second, between, a.out, a.to, a.factor);
}

REGISTER(
    FftNd, naive, .note = "the definition along each axis, a thread for each result",
    .suits = [](const FftNd::Shape& s) { return std::ranges::max(s.extents) <= 16; })

}  // namespace
}  // namespace tandem
