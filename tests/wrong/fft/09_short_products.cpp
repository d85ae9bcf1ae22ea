// Wrong:   jk is computed in 16 bits before it is reduced.
// Caught:  more than 256 points.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void short_products(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const auto* w = roots<T>(ctx, a.n);
  auto* results = ctx.scratch<Complex<T>>(a.n);
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < a.n; ++k) {
      results[k] = {0, 0};
      for (std::int64_t j = 0; j < a.n; ++j)
        results[k] = results[k] + a.load(row, j) * w[static_cast<std::uint16_t>(j * k) % a.n];
    }
    for (std::int64_t k = 0; k < a.n; ++k) a.store(row, k, results[k]);
  }
}

REGISTER(Fft, short_products, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
