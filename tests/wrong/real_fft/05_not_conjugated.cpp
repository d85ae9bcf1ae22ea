// Wrong:   back, numbers past n/2 are those before it, not their conjugates.
// Caught:  spectra with imaginary parts.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class Args, class T = decltype(Args::factor)>
struct NotConjugated : PlainWay<Args> {
  using PlainWay<Args>::PlainWay;
  Complex<T> load(std::int64_t row, std::int64_t j) const {
    return PlainWay<Args>::load(row, this->a.inverse && 2 * j > this->n ? this->n - j : j);
  }
};

template <class C>
void not_conjugated(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  transform_rows(NotConjugated<typename C::Args>(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, not_conjugated, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
