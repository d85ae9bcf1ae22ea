// Wrong:   a row is written with one number more than it has.
// Caught:  gaps, and what lies behind the last row.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void gap_overwritten(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  transform_grids(a, ctx, as_it_is, as_it_is);
  const std::int64_t width = a.inverse ? 1 : 2,
                     end = a.inverse ? a.extents[2] : RealFft::spectrum_size(a.extents[2]);
  a.out[width * end * a.to.strides[2]] = T(0);
}

REGISTER(RealFftNd, gap_overwritten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
