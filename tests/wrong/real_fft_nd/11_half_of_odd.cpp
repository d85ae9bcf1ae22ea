// Wrong:   rows of odd extents are taken for even ones, their last number left out.
// Caught:  odd last extents.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void half_of_odd(const typename C::Args& a, Context& ctx) {
  transform_grids(
      a, ctx, [](auto& rows) { rows.n -= rows.n > 1 && rows.n % 2 == 1; }, as_it_is);
}

REGISTER(RealFftNd, half_of_odd, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
