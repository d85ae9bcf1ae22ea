// Wrong:   multiplies what was there by α, too.
// Caught:  factors other than 1.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void alpha_on_all(const typename C::Args& a, Context&) {
  rows_in_turn<C>(
      a, [&](std::int64_t k, std::int64_t end) { return sum_of<C>(a, k, end); },
      [&](std::int64_t r, typename C::T sum) {
        a.y[r] = a.beta == 0 ? a.alpha * sum : a.alpha * (sum + a.beta * a.y[r]);
      });
}

REGISTER(Spmv, alpha_on_all, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
