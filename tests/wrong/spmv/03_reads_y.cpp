// Wrong:   multiplies y by β even where that is 0.
// Caught:  y is NaN where it must not be read.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void reads_y(const typename C::Args& a, Context&) {
  rows_in_turn<C>(
      a, [&](std::int64_t k, std::int64_t end) { return sum_of<C>(a, k, end); },
      [&](std::int64_t r, typename C::T sum) { a.y[r] = a.alpha * sum + a.beta * a.y[r]; });
}

REGISTER(Spmv, reads_y, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
