// Wrong:   writes the elements of a row of C side by side, whatever its layout.
// Caught:  column-major ones.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void layout_of_c_ignored(const typename C::Args& a, Context&) {
  const std::int64_t last = (a.rows.count - 1) * a.c.row + (a.width - 1) * a.c.col,
                     ld = std::max(a.c.row, a.c.col);
  elements_in_turn<C>(
      a, [&](std::int64_t r, std::int64_t j) { return sum_of<C>(a, r, j); },
      [&](std::int64_t r, std::int64_t j, typename C::T sum) {
        auto& to = a.c.data[std::min(r * ld + j, last)];
        to = a.beta == 0 ? a.alpha * sum : a.alpha * sum + a.beta * to;
      });
}

REGISTER(Spmm, layout_of_c_ignored, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
