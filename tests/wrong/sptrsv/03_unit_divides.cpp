// Wrong:   divides by what is stored on a diagonal of ones.
// Caught:  it is NaN there, or nothing is stored.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void unit_divides(const typename C::Args& a, Context&) {
  rows_in_turn(a, [&](std::int64_t r) {
    const auto sums = sums_of(
        a, r, [&](std::int64_t j) { return a.needs(r, j); }, [&](std::int64_t j) { return j == r; });
    if (a.unit)
      a.x[r] = a.solved(r, sums.needed, 1) / sums.diagonal;
    else
      a.x[r] = a.solved(r, sums.needed, sums.diagonal);
  });
}

REGISTER(Sptrsv, unit_divides, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
