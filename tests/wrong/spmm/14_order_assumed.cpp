// Wrong:   stops where column numbers fall within a row.
// Caught:  rows whose elements stand in any order.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void order_assumed(const typename C::Args& a, Context&) {
  rows_in_turn<C>(a, [&](std::int64_t k, std::int64_t end, std::int64_t j) {
    typename C::T sum = 0;
    for (std::int64_t at = k; at < end && (at == k || a.columns[at] >= a.columns[at - 1]); ++at)
      sum += a.product(at, j);
    return sum;
  });
}

REGISTER(Spmm, order_assumed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
