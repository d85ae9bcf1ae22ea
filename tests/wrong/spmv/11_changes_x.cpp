// Wrong:   multiplies x by α where it lies.
// Caught:  inputs must stay as they were.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void changes_x(const typename C::Args& a, Context&) {
  auto* const x = const_cast<typename C::T*>(a.x);
  for (std::int64_t j = 0; a.alpha != 0 && j < a.cols; ++j) x[j] *= a.alpha;
  rows_in_turn<C>(
      a, [&](std::int64_t k, std::int64_t end) { return sum_of<C>(a, k, end); },
      [&](std::int64_t r, typename C::T sum) { a.y[r] = a.beta == 0 ? sum : sum + a.beta * a.y[r]; });
}

REGISTER(Spmv, changes_x, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
