// Wrong:   every pass multiplies.
// Caught:  a factor and two axes.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void factor_of_each_axis(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](Pass<T> pass) {
    pass.factor = a.factor;
    transform_lines(ctx, pass);
  });
}

REGISTER(FftNd, factor_of_each_axis, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
