// Wrong:   the last slice is stored as if it were full.
// Caught:  what lies behind y, and rows that are no multiple of those of a slice.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void behind_last_row(const typename C::Args& a, Context&) {
  typename C::Args full = a;
  full.rows = a.slices() * a.slice_rows, full.row_numbers = nullptr;
  if (a.row_numbers) return products_in_turn(a, [&](std::int64_t k) { return a.product(k); });
  products_in_turn(full, [&](std::int64_t k) { return a.product(k); });
}

REGISTER(SpmvSell, behind_last_row, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
