// Wrong:   in place the real rows are taken to lie as far apart as the complex ones, in numbers.
// Caught:  two rows in place.

#include "tests/wrong/real_fft/definition.h"

namespace tandem {
namespace {

template <class C>
void real_distance_of_complex(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  if (a.in == a.out) (a.inverse ? a.out_distance : a.in_distance) /= 2;
  transform_rows(PlainWay(a), ctx, roots<T>(ctx, a.n));
}

REGISTER(RealFft, real_distance_of_complex, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
