// Wrong:   multiplies C by β even where that is 0.
// Caught:  C is NaN where it must not be read.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void reads_c(const typename C::Args& a, Context&) {
  elements_in_turn<C>(
      a, [&](std::int64_t r, std::int64_t j) { return sum_of<C>(a, r, j); },
      [&](std::int64_t r, std::int64_t j, typename C::T sum) {
        a.c(r, j) = a.alpha * sum + a.beta * a.c(r, j);
      });
}

REGISTER(Spmm, reads_c, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
