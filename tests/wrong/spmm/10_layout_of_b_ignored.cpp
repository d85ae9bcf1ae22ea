// Wrong:   takes B for a row-major matrix.
// Caught:  column-major ones.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void layout_of_b_ignored(const typename C::Args& a, Context&) {
  const std::int64_t ld = std::max(a.b.row, a.b.col);
  products_in_turn<C>(a, [&](std::int64_t k, std::int64_t j) {
    const std::int64_t last = (a.cols - 1) * a.b.row + (a.width - 1) * a.b.col;
    return a.values[k] * a.b.data[std::min(a.columns[k] * ld + j, last)];
  });
}

REGISTER(Spmm, layout_of_b_ignored, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
