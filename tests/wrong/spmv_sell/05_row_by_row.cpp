// Wrong:   elements of a row are taken to lie side by side.
// Caught:  slices of more than one row.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void row_by_row(const typename C::Args& a, Context&) {
  for (std::int64_t p = 0; p < a.rows; ++p) {
    typename C::T sum = 0;
    const std::int64_t begin = a.first(p) + p % a.slice_rows * (a.length(p) - 1);
    for (std::int64_t j = 0; j < a.length(p); ++j) sum += a.product(begin + j);
    a.store(p, sum);
  }
}

REGISTER(SpmvSell, row_by_row, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
