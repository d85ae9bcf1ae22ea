// Wrong:   only the last axis is transformed.
// Caught:  two axes.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void last_axis_alone(const typename C::Args& a, Context& ctx) {
  transform_lines(ctx, pass_along(a, 2, a.in, a.from, a.out, a.to, a.factor));
}

REGISTER(FftNd, last_axis_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
