// Wrong:   roots turn the other way, so that forward and inverse change places.
// Caught:  any length above 2.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void turned_back(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.inverse = !a.inverse;
  transform_rows(a, ctx, roots<typename C::T>(ctx, a.n));
}

REGISTER(Fft, turned_back, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
