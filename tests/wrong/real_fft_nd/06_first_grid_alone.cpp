// Wrong:   lines are transformed in the first grid alone.
// Caught:  two grids of two axes.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void first_grid_alone(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  typename C::Args first = a;
  first.batch = 1;
  bool rows_done = false;
  for_each_pass(
      a, ctx,
      [&](const auto& rows) {
        serial_rows(ctx, rows);
        rows_done = true;
      },
      [&](const Pass<T>& lines) {
        if (!rows_done) return serial_lines(ctx, lines);
        for (const std::size_t axis : {0, 1}) {
          if (a.extents[axis] == lines.n && a.to.strides[axis] == lines.in_stride)
            return serial_lines(
                ctx, pass_along(spectra_of(first), axis, lines.in, a.to, lines.out, a.to, lines.factor));
        }
      });
}

REGISTER(RealFftNd, first_grid_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
