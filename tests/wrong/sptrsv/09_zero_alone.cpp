// Wrong:   reports a diagonal of zero, but none that is denormal or NaN.
// Caught:  each of them.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void zero_alone(typename C::Args a, Context&) {
  std::uint64_t* const status = a.status;
  rows_in_turn(a, [&](std::int64_t r) {
    std::uint64_t unseen = 0;
    a.status = &unseen;
    solve_row(a, r);
    if (!a.unit && row_sums(a, r).diagonal == 0) report_pivot(status, a.rows, 0, r);
  });
}

REGISTER(Sptrsv, zero_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
