// Wrong:   multiplies B by α where it lies.
// Caught:  inputs must stay as they were.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void changes_b(const typename C::Args& a, Context&) {
  auto* const b = const_cast<typename C::T*>(a.b.data);
  for (std::int64_t i = 0; a.alpha != 0 && i < a.cols; ++i) {
    for (std::int64_t j = 0; j < a.width; ++j) b[i * a.b.row + j * a.b.col] *= a.alpha;
  }
  elements_in_turn<C>(
      a, [&](std::int64_t r, std::int64_t j) { return sum_of<C>(a, r, j); },
      [&](std::int64_t r, std::int64_t j, typename C::T sum) {
        a.c(r, j) = a.beta == 0 ? sum : sum + a.beta * a.c(r, j);
      });
}

REGISTER(Spmm, changes_b, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
