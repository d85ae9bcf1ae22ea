// Idea:    the textbook's way: real numbers are complex ones without imaginary parts, and fft's passes transform them.
// New:     against serial, n log2(n) operations instead of n².
// Expect:  the time of a complex transform of n numbers, of which half is spent on zeros and on results that are not stored.
// Limits:  twice the work that is needed. One core, one row at a time, no vectors.

#include "custom_kernels/fft/detail/row.h"
#include "custom_kernels/real_fft/detail/ways.h"

namespace tandem {
namespace {

template <class C>
void complex(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const PlainWay way(a);
  const RowTransform<T> transform(ctx, a.n, 1, RowWay::one_by_one);
  auto* scratch = ctx.scratch<Complex<T>>(transform.scratch());
  for (std::int64_t row = 0; row < a.batch; ++row) transform(way, row, 1, scratch);
}

REGISTER(RealFft, complex, .note = "a complex transform of numbers without imaginary parts",
         .depth = RealFft::levels_or_convolution)

}  // namespace
}  // namespace tandem
