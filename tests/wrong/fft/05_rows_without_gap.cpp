// Wrong:   the distance between rows of the input is taken for their length.
// Caught:  two rows with a gap.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void rows_without_gap(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  if (a.in != a.out) a.in_distance = a.n;
  transform_rows(a, ctx, roots<typename C::T>(ctx, a.n));
}

REGISTER(Fft, rows_without_gap, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
