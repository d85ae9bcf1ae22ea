// Wrong:   padding is a product with x[0].
// Caught:  x is NaN there.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void padding_counts(const typename C::Args& a, Context&) {
  products_in_turn(a, [&](std::int64_t k) { return a.values[k] * a.x[std::max(a.columns[k], 0)]; });
}

REGISTER(SpmvSell, padding_counts, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
