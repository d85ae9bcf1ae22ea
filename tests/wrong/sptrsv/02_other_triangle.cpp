// Wrong:   takes all elements but those on the diagonal, of both triangles.
// Caught:  what is beyond the diagonal is NaN.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void other_triangle(const typename C::Args& a, Context&) {
  rows_in_turn(a, [&](std::int64_t r) {
    const auto sums = sums_of(
        a, r, [&](std::int64_t j) { return j != r; }, [&](std::int64_t j) { return a.divides(r, j); });
    a.x[r] = a.solved(r, sums.needed, sums.diagonal);
  });
}

REGISTER(Sptrsv, other_triangle, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
