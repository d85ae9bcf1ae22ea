// Wrong:   blocks are taken to have as many columns as rows.
// Caught:  blocks of other shapes.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void square_blocks(const typename C::Args& a, Context&) {
  products_in_turn(a, [&](std::int64_t k, std::int64_t r, std::int64_t c) {
    const std::int64_t column = a.columns[k] * a.block_rows + c;
    return column < a.cols ? a.values[(k * a.block_rows + r) * a.block_cols + c] * a.x[column] : 0;
  });
}

REGISTER(SpmvBsr, square_blocks, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
