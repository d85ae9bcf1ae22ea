// Wrong:   results are left in the order of bits in which halves of halves come.
// Caught:  powers of two above 2.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

/// Sums and differences of halves, then the same of each half.
template <class T>
void halves(Complex<T>* x, std::int64_t n, std::int64_t step, const Complex<T>* w) {
  if (n == 1) return;
  for (std::int64_t j = 0; j < n / 2; ++j) {
    const Complex<T> a = x[j], b = x[j + n / 2];
    x[j] = a + b, x[j + n / 2] = (a - b) * w[j * step];
  }
  halves(x, n / 2, 2 * step, w), halves(x + n / 2, n / 2, 2 * step, w);
}

template <class C>
void order_of_bits(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  const auto* w = roots<T>(ctx, a.n);
  auto* x = ctx.scratch<Complex<T>>(a.n);
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t j = 0; j < a.n; ++j) x[j] = a.load(row, j);
    halves(x, a.n, 1, w);
    for (std::int64_t k = 0; k < a.n; ++k) a.store(row, k, x[k]);
  }
}

REGISTER(Fft, order_of_bits, .note = "wrong on purpose", .depth = Fft::levels,
         .refuses = Fft::refuse_other_than_powers)

}  // namespace
}  // namespace tandem
