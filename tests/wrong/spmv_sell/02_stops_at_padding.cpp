// Wrong:   a row ends at its first padding, and the loop counts elements of the first row of the slice.
// Caught:  rows longer than the first one of their slice.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void stops_at_padding(const typename C::Args& a, Context&) {
  using T = typename C::T;
  for (std::int64_t p = 0; p < a.rows; ++p) {
    T sum = 0;
    const std::int64_t leader = p / a.slice_rows * a.slice_rows;
    for (std::int64_t j = 0; j < a.length(p) && a.columns[a.first(leader) + j * a.slice_rows] >= 0; ++j)
      sum += a.product(a.first(p) + j * a.slice_rows);
    a.store(p, sum);
  }
}

REGISTER(SpmvSell, stops_at_padding, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
