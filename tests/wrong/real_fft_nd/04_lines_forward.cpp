// Wrong:   back, lines are transformed forward.
// Caught:  two axes back.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void lines_forward(const typename C::Args& a, Context& ctx) {
  transform_grids(a, ctx, as_it_is, [](auto& lines) { lines.inverse = false; });
}

REGISTER(RealFftNd, lines_forward, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
