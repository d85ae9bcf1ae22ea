// Wrong:   takes A for a square matrix: columns behind as many as there are rows count as the last.
// Caught:  matrices with more columns than rows.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void square_assumed(const typename C::Args& a, Context&) {
  products_in_turn<C>(a, [&](std::int64_t k, std::int64_t j) {
    return a.values[k] * a.b(std::min<std::int64_t>(a.columns[k], a.rows.count - 1), j);
  });
}

REGISTER(Spmm, square_assumed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
