// Wrong:   the filter is multiplied by the factor, in place.
// Caught:  inputs, which stay as they are.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void filter_changed(const typename C::Args& given, Context& ctx) {
  using T = typename C::T;
  typename C::Args a = given;
  auto* const filter = const_cast<Complex<T>*>(a.filter);
  for (std::int64_t k = 0; k < a.n; ++k) filter[k] = a.factor * filter[k];
  a.factor = 1;
  convolve_rows_one_by_one<C>(a, ctx);
}

REGISTER(Convolve, filter_changed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
