// Wrong:   results are not multiplied.
// Caught:  any factor but 1.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void factor_forgotten(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.factor = 1;
  transform_rows(a, ctx, roots<typename C::T>(ctx, a.n));
}

REGISTER(Fft, factor_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
