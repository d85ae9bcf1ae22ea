// Idea:    a launch for each axis, a thread for each result, by the definition; between axes the grids lie in scratch.
// Expect:  8 n operations for each result of an axis of n. Lanes of a warp take one row or line, whose numbers all of them read.
// Limits:  n² operations for each row and line; two copies of the spectra as scratch.

#include "custom_kernels/fft_nd/detail/naive_lines.cuh"
#include "custom_kernels/real_fft/detail/naive_rows.cuh"
#include "custom_kernels/real_fft_nd/detail/passes.h"

namespace tandem {
namespace {

/// Nothing is done in place: rows forward lead to the first array, each pass to the other one, and the last one to `out`.
template <class C>
void naive(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const Spectra<T> spectra = spectra_of(a);
  const GridLayout between = FftNd::contiguous(spectra.extents);
  const std::int64_t numbers = a.batch * between.distance;
  auto* first = ctx.scratch<Complex<T>>(numbers);
  auto* second = ctx.scratch<Complex<T>>(numbers);
  const auto lines = [&](std::size_t axis, const T* in, const GridLayout& from, T* out, const GridLayout& to,
                         T factor) {
    naive_lines(ctx, pass_along(spectra, axis, reinterpret_cast<const Complex<T>*>(in), from,
                                reinterpret_cast<Complex<T>*>(out), to, factor));
  };
  T *const one = &first->re, *const other = &second->re;
  if (a.inverse) {
    lines(0, a.in, a.from, one, between, 1);
    lines(1, one, between, other, between, 1);
    naive_rows(ctx, rows_of(a, other, between, a.out, a.to, a.factor));
  } else {
    naive_rows(ctx, rows_of(a, a.in, a.from, one, between, T(1)));
    lines(1, one, between, other, between, 1);
    lines(0, other, between, a.out, a.to, a.factor);
  }
}

REGISTER(
    RealFftNd, naive, .note = "the definition along each axis, a thread for each result",
    .suits = [](const RealFftNd::Shape& s) { return std::ranges::max(s.extents) <= 16; })

}  // namespace
}  // namespace tandem
