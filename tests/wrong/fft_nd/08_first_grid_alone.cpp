// Wrong:   axes after the first are transformed in the first grid alone.
// Caught:  two grids of two axes.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void first_grid_alone(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  transform_lines(ctx, pass_along(a, 2, a.in, a.from, a.out, a.to, a.factor));
  a.batch = 1;
  transform_lines(ctx, pass_along(a, 1, a.out, a.to, a.out, a.to, T(1)));
  transform_lines(ctx, pass_along(a, 0, a.out, a.to, a.out, a.to, T(1)));
}

REGISTER(FftNd, first_grid_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
