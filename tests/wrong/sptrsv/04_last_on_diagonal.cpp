// Wrong:   divides by the last element on the diagonal, where several add up.
// Caught:  graphs, which have some edges twice.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void last_on_diagonal(const typename C::Args& a, Context&) {
  rows_in_turn(a, [&](std::int64_t r) {
    const auto sums = row_sums(a, r);
    typename C::T last = 0;
    for (std::int64_t k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      if (a.divides(r, a.columns[k])) last = a.values[k];
    }
    a.x[r] = a.solved(r, sums.needed, last);
  });
}

REGISTER(Sptrsv, last_on_diagonal, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
