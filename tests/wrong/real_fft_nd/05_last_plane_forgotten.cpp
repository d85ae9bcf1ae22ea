// Wrong:   lines are those of n/2 columns, as if spectra had no more.
// Caught:  even last extents and another axis.

#include "tests/wrong/real_fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void last_plane_forgotten(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  typename C::Args fewer = a;
  if (a.extents[2] > 1 && a.extents[2] % 2 == 0) fewer.extents[2] -= 2;  // one column less
  for_each_pass(
      a, ctx, [&](const auto& rows) { serial_rows(ctx, rows); },
      [&](const Pass<T>& lines) {
        // Of in and out as they are, those of the axis with so many numbers at such a stride.
        const Spectra<T> spectra = spectra_of(fewer);
        for (const std::size_t axis : {0, 1}) {
          const GridLayout& layout = a.inverse ? a.from : a.to;
          if (a.extents[axis] == lines.n && layout.strides[axis] == lines.in_stride)
            return serial_lines(ctx,
                                pass_along(spectra, axis, lines.in, layout, lines.out, layout, lines.factor));
        }
        serial_lines(ctx, lines);
      });
}

REGISTER(RealFftNd, last_plane_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
