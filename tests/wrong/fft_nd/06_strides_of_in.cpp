// Wrong:   results are stored by the strides of the input.
// Caught:  two layouts.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void strides_of_in(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  if (FftNd::storage_size(a.from, a.extents, a.batch) <= FftNd::storage_size(a.to, a.extents, a.batch))
    a.to = a.from;
  for_each_axis(a, [&](const Pass<T>& pass) { transform_lines(ctx, pass); });
}

REGISTER(FftNd, strides_of_in, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
