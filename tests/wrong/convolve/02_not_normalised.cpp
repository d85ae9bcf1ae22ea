// Wrong:   results are not multiplied by 1/n.
// Caught:  any factor but 1.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void not_normalised(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.factor = 1;
  convolve_rows_one_by_one<C>(a, ctx);
}

REGISTER(Convolve, not_normalised, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
