// Wrong:   rows are taken in pairs, and the last of an odd number is left out.
// Caught:  one row, or three.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void last_row_of_odd_batch(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.batch -= a.batch % 2;
  transform_rows(a, ctx, roots<typename C::T>(ctx, a.n));
}

REGISTER(Fft, last_row_of_odd_batch, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
