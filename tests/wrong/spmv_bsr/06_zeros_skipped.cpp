// Wrong:   zeros of a block are no elements.
// Caught:  x that is no finite number, which a zero makes NaN.

#include "tests/wrong/spmv_bsr/loop.h"

namespace tandem {
namespace {

template <class C>
void zeros_skipped(const typename C::Args& a, Context&) {
  products_in_turn(a, [&](std::int64_t k, std::int64_t r, std::int64_t c) {
    return a.values[(k * a.block_rows + r) * a.block_cols + c] == 0 ? 0 : a.product(k, r, c);
  });
}

REGISTER(SpmvBsr, zeros_skipped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
