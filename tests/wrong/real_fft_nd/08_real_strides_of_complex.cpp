// Wrong:   in place the real rows are taken to lie as far apart as the complex ones, in numbers.
// Caught:  two rows in place.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void real_strides_of_complex(const typename C::Args& a, Context& ctx) {
  typename C::Args of_complex = a;
  if (a.in == a.out) {
    GridLayout& real = a.inverse ? of_complex.to : of_complex.from;
    for (const std::size_t axis : {0, 1}) real.strides[axis] /= 2;
    real.distance /= 2;
  }
  transform_grids(of_complex, ctx, as_it_is, as_it_is);
}

REGISTER(RealFftNd, real_strides_of_complex, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
