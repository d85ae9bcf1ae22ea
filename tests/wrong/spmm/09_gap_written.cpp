// Wrong:   writes a row of C four columns at once, as far as its leading dimension lets it.
// Caught:  the gaps behind rows are compared.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void gap_written(const typename C::Args& a, Context&) {
  rows_in_turn<C>(a, [&](std::int64_t k, std::int64_t end, std::int64_t j) {
    typename C::T sum = 0;
    for (; k < end; ++k) sum += a.product(k, j);
    return sum;
  });
  for (std::int64_t r = 0; r < a.rows.count && a.c.col == 1; ++r) {
    for (std::int64_t j = a.width; j % 4 != 0 && j < a.c.row && r + 1 < a.rows.count; ++j) a.c(r, j) = 0;
  }
}

REGISTER(Spmm, gap_written, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
