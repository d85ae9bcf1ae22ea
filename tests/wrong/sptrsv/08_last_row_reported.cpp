// Wrong:   reports the row that it meets last.
// Caught:  the exact row is expected.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void last_row_reported(typename C::Args a, Context&) {
  std::uint64_t* const status = a.status;
  rows_in_turn(a, [&](std::int64_t r) {
    std::uint64_t seen = 0;
    a.status = &seen;
    solve_row(a, r);
    if (seen != 0) *status = seen;
  });
}

REGISTER(Sptrsv, last_row_reported, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
