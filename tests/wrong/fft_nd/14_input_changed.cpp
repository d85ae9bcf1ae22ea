// Wrong:   the first axis is transformed in place, in the input.
// Caught:  inputs, which stay as they are.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void input_changed(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  Complex<T>* const in = const_cast<Complex<T>*>(a.in);
  transform_lines(ctx, pass_along(a, 2, a.in, a.from, in, a.from, T(1)));
  transform_lines(ctx, pass_along(a, 1, a.in, a.from, in, a.from, T(1)));
  transform_lines(ctx, pass_along(a, 0, a.in, a.from, a.out, a.to, a.factor));
}

REGISTER(FftNd, input_changed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
