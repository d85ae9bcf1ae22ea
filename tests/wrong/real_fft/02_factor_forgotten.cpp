// Wrong:   results are not multiplied.
// Caught:  any factor but 1.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class C>
void factor_forgotten(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  a.factor = 1;
  transform_rows(PlainWay(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, factor_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
