// Wrong:   of a kept analysis it takes whole tiles alone, so rows of the last one are left as they are.
// Caught:  plans.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void kept_tail_dropped(const typename C::Args& a, Context&) {
  std::int64_t rows = a.rows.count;
  if (a.tiles) rows = a.tiles[(a.elements + rows) / Spmv::kTile].segment;
  for (std::int64_t r = 0; r < rows; ++r) a.store(r, sum_of<C>(a, a.rows.begin(r), a.rows.end(r)));
}

REGISTER(Spmv, kept_tail_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
