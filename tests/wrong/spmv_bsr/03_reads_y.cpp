// Wrong:   multiplies y by beta even where that is 0.
// Caught:  y is NaN where it must not be read.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void reads_y(const typename C::Args& a, Context&) {
  rows_in_turn(
      a, [&](std::int64_t k, std::int64_t r, std::int64_t c) { return a.product(k, r, c); },
      [&](std::int64_t row, auto sum) { a.y[row] = a.alpha * sum + a.beta * a.y[row]; });
}

REGISTER(SpmvBsr, reads_y, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
