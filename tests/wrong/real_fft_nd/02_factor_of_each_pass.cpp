// Wrong:   every pass multiplies.
// Caught:  a factor and two axes.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void factor_of_each_pass(const typename C::Args& a, Context& ctx) {
  transform_grids(
      a, ctx, [&](auto& rows) { rows.factor = a.factor; }, [&](auto& lines) { lines.factor = a.factor; });
}

REGISTER(RealFftNd, factor_of_each_pass, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
