// Wrong:   blocks are read column by column.
// Caught:  blocks of several rows and columns.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void turned_blocks(const typename C::Args& a, Context&) {
  products_in_turn(a, [&](std::int64_t k, std::int64_t r, std::int64_t c) {
    const std::int64_t column = a.columns[k] * a.block_cols + c;
    return column < a.cols ? a.values[(k * a.block_cols + c) * a.block_rows + r] * a.x[column] : 0;
  });
}

REGISTER(SpmvBsr, turned_blocks, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
