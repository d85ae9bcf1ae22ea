// Wrong:   roots have the digits of floats.
// Caught:  doubles.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void roots_of_floats(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const auto* right = roots<T>(ctx, a.n);
  auto* w = ctx.scratch<Complex<T>>(a.n);
  for (std::int64_t k = 0; k < a.n; ++k)
    w[k] = {static_cast<float>(right[k].re), static_cast<float>(right[k].im)};
  transform_rows(a, ctx, w);
}

REGISTER(Fft, roots_of_floats, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
