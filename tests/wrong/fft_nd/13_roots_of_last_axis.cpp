// Wrong:   all axes take the roots of the last one, at jk mod n.
// Caught:  axes of different extents.

#include "tests/wrong/fft_nd/definition.h"

namespace tandem {
namespace {

template <class C>
void roots_of_last_axis(const typename C::Args& a, Context& ctx) {
  using T = typename C::T;
  for_each_axis(a, [&](const Pass<T>& pass) {
    const Complex<T>* const right = roots<T>(ctx, std::max(pass.n, a.extents[2]));
    const Complex<T>* const last = roots<T>(ctx, a.extents[2]);
    transform_lines(ctx, pass, pass.n > a.extents[2] ? right : last);
  });
}

REGISTER(FftNd, roots_of_last_axis, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
