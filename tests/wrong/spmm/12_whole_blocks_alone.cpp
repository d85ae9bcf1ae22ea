// Wrong:   of more than 32 columns it takes whole blocks of 32.
// Caught:  widths of one more, and of other numbers.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void whole_blocks_alone(const typename C::Args& a, Context&) {
  const std::int64_t width = a.width > 32 ? a.width / 32 * 32 : a.width;
  for (std::int64_t r = 0; r < a.rows.count; ++r) {
    for (std::int64_t j = 0; j < width; ++j) a.store(r, j, sum_of<C>(a, r, j));
  }
}

REGISTER(Spmm, whole_blocks_alone, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
