// Wrong:   multiplies y by beta even where that is 0.
// Caught:  y is NaN where it must not be read.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void reads_y(const typename C::Args& a, Context&) {
  positions_in_turn(
      a, [&](std::int64_t k) { return a.product(k); },
      [&](std::int64_t p, auto sum) {
        auto& y = a.y[a.row_numbers ? a.row_numbers[p] : p];
        y = a.alpha * sum + a.beta * y;
      });
}

REGISTER(SpmvSell, reads_y, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
