// Wrong:   spectra are conjugated.
// Caught:  any length above 2.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class C>
void turned_back(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  Complex<T>* w = ctx.scratch<Complex<T>>(a.n);
  for (std::int64_t k = 0; k < a.n; ++k) w[k] = conjugate(roots<T>(ctx, a.n)[k]);
  transform_rows(PlainWay(a), ctx, w);
}

REGISTER(RealFft, turned_back, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
