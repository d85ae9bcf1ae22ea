// Wrong:   the last row of an odd number of them is left out.
// Caught:  odd batches.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void last_row_left_out(const typename C::Args& given, Context& ctx) {
  typename C::Args a = given;
  a.batch -= a.batch % 2;
  convolve_rows_one_by_one<C>(a, ctx);
}

REGISTER(Convolve, last_row_left_out, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
