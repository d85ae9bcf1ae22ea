// Wrong:   rows of the last blocks are stored beyond the lower edge.
// Caught:  what lies behind y, and rows that are no multiple of a block's.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void below_last_row(const typename C::Args& a, Context&) {
  typename C::Args full = a;
  full.rows = a.rows_of_blocks() * a.block_rows;
  products_in_turn(full, [&](std::int64_t k, std::int64_t r, std::int64_t c) { return a.product(k, r, c); });
}

REGISTER(SpmvBsr, below_last_row, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
