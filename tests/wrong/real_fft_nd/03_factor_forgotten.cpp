// Wrong:   results are not multiplied.
// Caught:  any factor but 1.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void factor_forgotten(const typename C::Args& a, Context& ctx) {
  transform_grids(
      a, ctx, [](auto& rows) { rows.factor = 1; }, [](auto& lines) { lines.factor = 1; });
}

REGISTER(RealFftNd, factor_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
