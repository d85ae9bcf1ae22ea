// Wrong:   alpha multiplies y, too.
// Caught:  alpha and beta other than 0 and 1.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void alpha_on_all(const typename C::Args& a, Context&) {
  rows_in_turn(
      a, [&](std::int64_t k, std::int64_t r, std::int64_t c) { return a.product(k, r, c); },
      [&](std::int64_t row, auto sum) {
        a.y[row] = a.alpha * (a.beta == 0 ? sum : sum + a.beta * a.y[row]);
      });
}

REGISTER(SpmvBsr, alpha_on_all, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
