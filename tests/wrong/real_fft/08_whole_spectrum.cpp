// Wrong:   all n numbers of a spectrum are stored.
// Caught:  elements behind a row.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class Args, class T = decltype(Args::factor)>
struct WholeSpectrum : PlainWay<Args> {
  using PlainWay<Args>::PlainWay;
  std::int64_t results() const { return this->n; }
  void store(std::int64_t row, std::int64_t k, Complex<T> x) const {
    if (this->a.inverse)
      PlainWay<Args>::store(row, k, x);
    else if (2 * k <= this->n || row + 1 < this->batch)
      this->a.store_complex(row, k, x);
  }
};

template <class C>
void whole_spectrum(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  transform_rows(WholeSpectrum<typename C::Args>(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, whole_spectrum, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
