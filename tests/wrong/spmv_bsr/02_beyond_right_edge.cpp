// Wrong:   elements beyond the right edge count, with the last x.
// Caught:  columns that are no multiple of a block's, beyond which is NaN.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void beyond_right_edge(const typename C::Args& a, Context&) {
  products_in_turn(a, [&](std::int64_t k, std::int64_t r, std::int64_t c) {
    const std::int64_t column = std::min(a.columns[k] * a.block_cols + c, a.cols - 1);
    return a.values[(k * a.block_rows + r) * a.block_cols + c] * a.x[column];
  });
}

REGISTER(SpmvBsr, beyond_right_edge, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
