// Wrong:   reads column numbers of 64 bits as if they had 32.
// Caught:  matrices with such numbers.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void half_columns(const typename C::Args& a, Context&) {
  const auto halves =
      C::template Of<std::int32_t>::args(a, static_cast<const std::int32_t*>(a.columns.data()));
  rows_in_turn(halves, [&](std::int64_t r) { solve_row(halves, r); });
}

REGISTER(Sptrsv, half_columns, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
