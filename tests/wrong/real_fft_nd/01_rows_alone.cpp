// Wrong:   only the last axis is transformed.
// Caught:  two axes.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void rows_alone(const typename C::Args& a, Context& ctx) {
  transform_grids(a, ctx, as_it_is, [](auto& lines) { lines.n = 1; });
}

REGISTER(RealFftNd, rows_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
