// Wrong:   X[n/2] of even rows is not stored, as if spectra had n/2 numbers.
// Caught:  even lengths.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class Args, class T = decltype(Args::factor)>
struct LastLeftOut : PlainWay<Args> {
  using PlainWay<Args>::PlainWay;
  void store(std::int64_t row, std::int64_t k, Complex<T> x) const {
    if (this->a.inverse || 2 * k != this->n) PlainWay<Args>::store(row, k, x);
  }
};

template <class C>
void last_left_out(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  transform_rows(LastLeftOut<typename C::Args>(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, last_left_out, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
