// Wrong:   the direction is ignored.
// Caught:  inverse transforms.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void forward_only(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.inverse = false;
  transform_rows(a, ctx, roots<typename C::T>(ctx, a.n));
}

REGISTER(Fft, forward_only, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
