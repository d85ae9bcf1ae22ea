// Wrong:   results are stored at positions, as if these were the numbers of rows.
// Caught:  sorted rows.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void order_forgotten(const typename C::Args& a, Context&) {
  positions_in_turn(
      a, [&](std::int64_t k) { return a.product(k); },
      [&](std::int64_t p, auto sum) {
        a.y[p] = a.beta == 0 ? a.alpha * sum : a.alpha * sum + a.beta * a.y[p];
      });
}

REGISTER(SpmvSell, order_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
