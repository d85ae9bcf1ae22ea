// Wrong:   each root is the product of the one before and the first, so that errors add up.
// Caught:  floats of a few hundred points, by their digits.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void drifting_roots(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const auto* right = roots<T>(ctx, a.n);
  auto* w = ctx.scratch<Complex<T>>(a.n);
  for (std::int64_t k = 0; k < a.n; ++k) w[k] = k == 0 ? right[0] : w[k - 1] * right[1 % a.n];
  transform_rows(a, ctx, w);
}

REGISTER(Fft, drifting_roots, .note = "wrong on purpose", .depth = Fft::levels)

}  // namespace
}  // namespace tandem
