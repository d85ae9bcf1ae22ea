// Idea:    two real numbers are a complex one. The transform of n/2 such pairs holds those of even and of odd numbers, E + iO,
//          which its symmetries tell apart; one more level of butterflies makes X[k] = E[k] + w^k O[k] of them, in place.
// New:     against complex, even rows are half as long.
// Expect:  half of complex's time, and that of a pass for the split.
// Limits:  odd lengths go complex's way. One core, one row at a time, no vectors.
// Source:  Cooley, Lewis, Welch 1970, "The fast Fourier transform algorithm: programming considerations in the calculation of
//          sine, cosine and Laplace transforms".

#include "custom_kernels/real_fft/detail/rows.h"

namespace tandem {
namespace {

template <class C>
void packed(const typename C::Args& a, Context& ctx) {
  const RealRows transform(a, ctx, RowWay::one_by_one);
  auto* scratch = ctx.scratch<Complex<typename C::T>>(transform.scratch());
  for (std::int64_t row = 0; row < a.batch; ++row) transform(row, 1, scratch);
}

REGISTER(RealFft, packed, .note = "pairs of numbers as complex ones, then split",
         .depth = RealFft::levels_or_convolution)

}  // namespace
}  // namespace tandem
