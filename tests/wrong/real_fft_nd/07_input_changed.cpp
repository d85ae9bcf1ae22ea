// Wrong:   back, lines are transformed in the input.
// Caught:  inputs, which stay as they are.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void input_changed(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  auto* const in = reinterpret_cast<Complex<T>*>(const_cast<T*>(a.in));
  if (!a.inverse) return transform_grids(a, ctx, as_it_is, as_it_is);
  for (const std::size_t axis : {0, 1})
    serial_lines(ctx, pass_along(spectra_of(a), axis, in, a.from, in, a.from, T(1)));
  serial_rows(ctx, rows_of(a, a.in, a.from, a.out, a.to, a.factor));
}

REGISTER(RealFftNd, input_changed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
