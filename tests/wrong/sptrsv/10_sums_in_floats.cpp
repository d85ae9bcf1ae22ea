// Wrong:   adds the products of doubles up in floats.
// Caught:  the bound of doubles' residuals.

#include "tests/wrong/sptrsv/loop.h"

namespace tandem {
namespace {

template <class C>
void sums_in_floats(const typename C::Args& a, Context&) {
  rows_in_turn(a, [&](std::int64_t r) {
    float sum = 0;
    for (std::int64_t k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
      if (a.needs(r, a.columns[k])) sum += static_cast<float>(a.values[k] * a.x[a.columns[k]]);
    }
    a.x[r] = a.solved(r, sum, row_sums(a, r).diagonal);
  });
}

REGISTER(Sptrsv, sums_in_floats, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
