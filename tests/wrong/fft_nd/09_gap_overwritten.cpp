// Wrong:   a line is stored as if it were one number longer.
// Caught:  elements between those of grids, which stay as they are.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void gap_overwritten(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) { transform_lines(ctx, pass); });
  const std::int64_t size = FftNd::storage_size(a.to, a.extents, a.batch);
  if (a.to.strides[2] == 1 && a.extents[2] < a.to.strides[1] && a.extents[2] < size && a.extents[1] > 1)
    a.out[a.extents[2]] = {0, 0};
}

REGISTER(FftNd, gap_overwritten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
