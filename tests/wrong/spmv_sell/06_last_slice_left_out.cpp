// Wrong:   the last slice is left out where it is not full.
// Caught:  rows that are no multiple of those of a slice.

#include "tests/wrong/spmv_sell/loop.h"

namespace tandem {
namespace {

template <class C>
void last_slice_left_out(const typename C::Args& a, Context&) {
  typename C::Args full = a;
  full.rows -= a.rows % a.slice_rows;
  products_in_turn(full, [&](std::int64_t k) { return a.product(k); });
}

REGISTER(SpmvSell, last_slice_left_out, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
