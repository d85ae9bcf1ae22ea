// Wrong:   of three axes the first one is left out.
// Caught:  three axes.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void first_axis_forgotten(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  transform_lines(ctx, pass_along(a, 2, a.in, a.from, a.out, a.to, T(1)));
  transform_lines(ctx, pass_along(a, 1, a.out, a.to, a.out, a.to, a.factor));
}

REGISTER(FftNd, first_axis_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
