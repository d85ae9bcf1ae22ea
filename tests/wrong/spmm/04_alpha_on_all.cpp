// Wrong:   multiplies what was there by α, too.
// Caught:  factors other than 1.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void alpha_on_all(const typename C::Args& a, Context&) {
  elements_in_turn<C>(
      a, [&](std::int64_t r, std::int64_t j) { return sum_of<C>(a, r, j); },
      [&](std::int64_t r, std::int64_t j, typename C::T sum) {
        a.c(r, j) = a.beta == 0 ? a.alpha * sum : a.alpha * (sum + a.beta * a.c(r, j));
      });
}

REGISTER(Spmm, alpha_on_all, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
