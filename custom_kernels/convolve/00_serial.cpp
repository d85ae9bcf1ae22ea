// Idea:    a row is transformed, multiplied by the filter's spectrum number by number, and transformed back: a product of spectra
//          is a circular convolution. The transforms are those of fft's stockham.
// Expect:  10 n log2(n) operations for a row where the sum that a convolution is takes 8 n². A row goes there and back in a cache;
//          the product is part of the store.
// Limits:  one core, one row at a time, no vectors. A length with prime factors above 7 costs four transforms of a power of two.
// Source:  Stockham 1966, "High-speed convolution and correlation".

#include "custom_kernels/convolve/detail/rows.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context& ctx) {
  const ConvolveRows<C> convolve(a, ctx, RowWay::one_by_one);
  auto* scratch = ctx.scratch<Complex<typename C::T>>(convolve.scratch());
  for (std::int64_t row = 0; row < a.batch; ++row) convolve(row, 1, scratch);
}

REGISTER(Convolve, serial, .note = "fft's passes there and back, row by row",
         .depth = Convolve::levels_or_convolution)

}  // namespace
}  // namespace tandem
