// Wrong:   back, number n/2 of a packed row is paired with number 0 instead of X[n/2].
// Caught:  even lengths, back.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class Args, class T = decltype(Args::factor)>
struct Paired : PackedWay<Args> {
  using PackedWay<Args>::PackedWay;
  Complex<T> load(std::int64_t row, std::int64_t j) const {
    if (!this->a.inverse || j > 0) return PackedWay<Args>::load(row, j);
    return swapped(T(2) * this->a.load_complex(row, 0));
  }
};

template <class C>
void conjugate_of_zero(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  if (a.n % 2 != 0) return transform_rows(PlainWay(a), ctx, roots<T>(ctx, a.n));
  const Paired<typename C::Args> way(a, roots<T>(ctx, a.n));
  const Complex<T>* w = roots<T>(ctx, way.n);
  auto* z = ctx.scratch<Complex<T>>(way.n);
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < way.n; ++k) z[k] = by_definition(way, row, k, w);
    for (std::int64_t k = 0; k < way.n; ++k) way.store(row, k, z[k]);
    for (std::int64_t k = 0; k < way.pairs() && way.splits(); ++k) way.split(row, k, a.spectrum(row));
  }
}

REGISTER(RealFft, conjugate_of_zero, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
