// Wrong:   adds up the first 64 elements of a row alone.
// Caught:  a row that needs all before it.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void long_row_cut(const typename C::Args& a, Context&) {
  constexpr std::int64_t kMost = 64;
  rows_in_turn(a, [&](std::int64_t r) {
    typename C::T sum = 0;
    for (std::int64_t k = a.offsets[r]; k < std::min(a.offsets[r] + kMost, a.offsets[r + 1]); ++k) {
      if (a.needs(r, a.columns[k])) sum += a.values[k] * a.x[a.columns[k]];
    }
    a.x[r] = a.solved(r, sum, row_sums(a, r).diagonal);
  });
}

REGISTER(Sptrsv, long_row_cut, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
