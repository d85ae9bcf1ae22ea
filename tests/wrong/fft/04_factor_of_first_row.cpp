// Wrong:   only the first row is multiplied.
// Caught:  a factor and two rows.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void factor_of_first_row(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  const auto* w = roots<typename C::T>(ctx, a.n);
  a.batch = 1;
  transform_rows(a, ctx, w);
  a.batch = given.batch;
  a.factor = 1;
  transform_rows(a, ctx, w, 1);
}

REGISTER(Fft, factor_of_first_row, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
