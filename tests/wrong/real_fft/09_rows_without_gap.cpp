// Wrong:   the distance between rows of the input is taken for their length.
// Caught:  two rows with a gap.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class C>
void rows_without_gap(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  if (a.in != a.out) a.in_distance = a.inverse ? RealFft::spectrum_size(a.n) : a.n;
  transform_rows(PlainWay(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, rows_without_gap, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
