// Wrong:   stops where column numbers fall within a row.
// Caught:  rows whose elements stand in any order.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void order_assumed(const typename C::Args& a, Context&) {
  rows_in_turn<C>(
      a,
      [&](std::int64_t begin, std::int64_t end) {
        std::int64_t k = begin;
        while (k < end && (k == begin || a.columns[k] >= a.columns[k - 1])) ++k;
        return sum_of<C>(a, begin, k);
      },
      [&](std::int64_t r, typename C::T sum) { a.store(r, sum); });
}

REGISTER(Spmv, order_assumed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
