// Wrong:   the input is taken to be row-major.
// Caught:  other layouts of at least as many elements.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void contiguous_in(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  if (a.in != a.out) a.from = FftNd::contiguous(a.extents);
  for_each_axis(a, [&](const Pass<T>& pass) { transform_lines(ctx, pass); });
}

REGISTER(FftNd, contiguous_in, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
