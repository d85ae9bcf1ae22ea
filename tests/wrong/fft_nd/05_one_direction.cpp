// Wrong:   axes after the first are transformed forward.
// Caught:  inverse transforms of two axes.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void one_direction(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  bool first = true;
  for_each_axis(a, [&](Pass<T> pass) {
    pass.inverse = a.inverse && first;
    first = false;
    transform_lines(ctx, pass);
  });
}

REGISTER(FftNd, one_direction, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
