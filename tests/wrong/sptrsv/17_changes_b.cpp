// Wrong:   multiplies b by α where it lies.
// Caught:  inputs are compared afterwards.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void changes_b(typename C::Args a, Context&) {
  for (std::int64_t r = 0; r < a.rows; ++r) const_cast<typename C::T*>(a.b)[r] *= a.alpha;
  a.alpha = 1;
  rows_in_turn(a, [&](std::int64_t r) { solve_row(a, r); });
}

REGISTER(Sptrsv, changes_b, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
