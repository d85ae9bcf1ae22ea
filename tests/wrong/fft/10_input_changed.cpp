// Wrong:   the input is used as scratch, as a transform in place would.
// Caught:  inputs, which stay as they are.

#include "tests/wrong/fft/definition.h"

namespace tandem {
namespace {

template <class C>
void input_changed(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  a.out = const_cast<Complex<T>*>(a.in);
  a.out_distance = a.in_distance;
  transform_rows(a, ctx, roots<T>(ctx, a.n));
  for (std::int64_t row = 0; row < a.batch; ++row) {
    for (std::int64_t k = 0; k < a.n; ++k)
      given.out[row * given.out_distance + k] = a.out[row * a.out_distance + k];
  }
}

REGISTER(Fft, input_changed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
