// Wrong:   lines of a sheet are taken in pairs, and the last of an odd number is left out.
// Caught:  sheets of three lines.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void last_line_of_odd_sheet(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](Pass<T> pass) {
    if (pass.batch > 1) pass.batch -= pass.batch % 2;
    transform_lines(ctx, pass);
  });
}

REGISTER(FftNd, last_line_of_odd_sheet, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
