// Wrong:   a zero is written behind each row but the last.
// Caught:  elements between rows, which stay as they are.

#include "tests/wrong/convolve/passes.h"

namespace tandem {
namespace {

template <class C>
void gap_overwritten(const typename C::Args& given, Context& ctx) {
  convolve_rows_one_by_one<C>(given, ctx);
  for (std::int64_t row = 0; row + 1 < given.batch && given.out_distance > given.n; ++row)
    given.store(row, given.n, {0, 0});
}

REGISTER(Convolve, gap_overwritten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
