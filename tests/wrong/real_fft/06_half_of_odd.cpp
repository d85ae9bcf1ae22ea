// Wrong:   the last number of an odd row is taken for that of an even one, and has no imaginary part.
// Caught:  odd lengths.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class Args, class T = decltype(Args::factor)>
struct HalfOfOdd : PlainWay<Args> {
  using PlainWay<Args>::PlainWay;
  void store(std::int64_t row, std::int64_t k, Complex<T> x) const {
    PlainWay<Args>::store(row, k, !this->a.inverse && k == this->n / 2 ? Complex<T>{x.re, 0} : x);
  }
};

template <class C>
void half_of_odd(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  transform_rows(HalfOfOdd<typename C::Args>(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, half_of_odd, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
