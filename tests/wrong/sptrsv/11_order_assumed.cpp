// Wrong:   takes the last element of a row of a lower triangle for its diagonal, the first one of an upper.
// Caught:  columns in no order, and elements beyond the diagonal.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void order_assumed(const typename C::Args& a, Context&) {
  rows_in_turn(a, [&](std::int64_t r) {
    const auto sums = row_sums(a, r);
    a.x[r] = a.solved(r, sums.needed, a.unit ? 1 : a.values[a.upper ? a.offsets[r] : a.offsets[r + 1] - 1]);
  });
}

REGISTER(Sptrsv, order_assumed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
