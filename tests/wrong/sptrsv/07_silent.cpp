// Wrong:   never reports a diagonal of zero.
// Caught:  such diagonals; infinities in x alone would tell nobody where.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void silent(typename C::Args a, Context&) {
  std::uint64_t unseen = 0;
  a.status = &unseen;
  rows_in_turn(a, [&](std::int64_t r) { solve_row(a, r); });
}

REGISTER(Sptrsv, silent, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
