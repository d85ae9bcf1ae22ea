// Wrong:   sets x to zeros before it reads b.
// Caught:  calls in which x is b.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void not_in_place(const typename C::Args& a, Context&) {
  std::fill(a.x, a.x + a.rows, typename C::T(0));
  rows_in_turn(a, [&](std::int64_t r) { solve_row(a, r); });
}

REGISTER(Sptrsv, not_in_place, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
