// Wrong:   rows are read as if their numbers lay side by side.
// Caught:  a stride along the last axis.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void row_without_stride(const typename C::Args& a, Context& ctx) {
  transform_grids(
      a, ctx, [](auto& rows) { rows.in_stride = 1; }, as_it_is);
}

REGISTER(RealFftNd, row_without_stride, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
