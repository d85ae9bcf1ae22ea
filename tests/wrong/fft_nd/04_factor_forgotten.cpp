// Wrong:   results are not multiplied.
// Caught:  any factor but 1.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void factor_forgotten(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  a.factor = 1;
  for_each_axis(a, [&](const Pass<T>& pass) { transform_lines(ctx, pass); });
}

REGISTER(FftNd, factor_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
