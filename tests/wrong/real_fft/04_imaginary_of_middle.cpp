// Wrong:   back, the imaginary part of X[n/2] counts.
// Caught:  NaN there, of even lengths.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class Args, class T = decltype(Args::factor)>
struct MiddleCounts : PlainWay<Args> {
  using PlainWay<Args>::PlainWay;
  Complex<T> load(std::int64_t row, std::int64_t j) const {
    const Complex<T> x = PlainWay<Args>::load(row, j);
    if (!this->a.inverse || 2 * j != this->n) return x;
    return swapped(reinterpret_cast<const Complex<T>*>(this->a.in)[row * this->a.in_distance + j]);
  }
};

template <class C>
void imaginary_of_middle(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  transform_rows(MiddleCounts<typename C::Args>(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, imaginary_of_middle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
