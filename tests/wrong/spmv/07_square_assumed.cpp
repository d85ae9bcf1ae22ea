// Wrong:   takes the matrix for a square one: columns behind as many as there are rows count as the last.
// Caught:  matrices with more columns than rows.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void square_assumed(const typename C::Args& a, Context&) {
  products_in_turn<C>(a, [&](std::int64_t k) {
    return a.values[k] * a.x[std::min<std::int64_t>(a.columns[k], a.rows.count - 1)];
  });
}

REGISTER(Spmv, square_assumed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
