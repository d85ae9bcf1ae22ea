#pragma once
// Right convolutions, of which each wrong one changes something.

#include "custom_kernels/convolve/detail/rows.h"

namespace tandem {

template <class C>
void convolve_rows_one_by_one(const typename C::Args& a, Context& ctx) {
  const ConvolveRows<C> convolve(a, ctx, RowWay::one_by_one);
  auto* scratch = ctx.scratch<Complex<typename C::T>>(convolve.scratch());
  for (std::int64_t row = 0; row < a.batch; ++row) convolve(row, 1, scratch);
}

/// A filter in scratch, number k by of(k).
template <class C, class Of>
typename C::Args with_filter(typename C::Args a, Context& ctx, Of of) {
  auto* filter = ctx.scratch<Complex<typename C::T>>(a.n);
  for (std::int64_t k = 0; k < a.n; ++k) filter[k] = of(k);
  a.filter = filter;
  return a;
}

}  // namespace tandem
