// Wrong:   alpha multiplies y, too.
// Caught:  alpha and beta other than 0 and 1.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void alpha_on_all(const typename C::Args& a, Context&) {
  positions_in_turn(
      a, [&](std::int64_t k) { return a.product(k); },
      [&](std::int64_t p, auto sum) {
        auto& y = a.y[a.row_numbers ? a.row_numbers[p] : p];
        y = a.alpha * (a.beta == 0 ? sum : sum + a.beta * y);
      });
}

REGISTER(SpmvSell, alpha_on_all, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
