// Wrong:   multiplies by α what of b is left, products and all.
// Caught:  other factors than 1, in rows that need others.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void alpha_on_all(const typename C::Args& a, Context&) {
  rows_in_turn(a, [&](std::int64_t r) {
    const auto sums = row_sums(a, r);
    a.x[r] = a.solved(r, a.alpha * sums.needed, sums.diagonal);
  });
}

REGISTER(Sptrsv, alpha_on_all, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
