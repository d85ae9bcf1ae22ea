// Wrong:   only the sheets along the faster of two axes are taken.
// Caught:  three axes, or two and two grids.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void sheets_of_faster_axis(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](Pass<T> pass) {
    pass.step[1].extent = 1;
    transform_lines(ctx, pass);
  });
}

REGISTER(FftNd, sheets_of_faster_axis, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
