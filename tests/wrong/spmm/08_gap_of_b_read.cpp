// Wrong:   takes the rows of a row-major B to lie side by side.
// Caught:  leading dimensions beyond the width.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void gap_of_b_read(const typename C::Args& a, Context&) {
  products_in_turn<C>(a, [&](std::int64_t k, std::int64_t j) {
    return a.values[k] * (a.b.col == 1 ? a.b.data[a.columns[k] * a.width + j] : a.b(a.columns[k], j));
  });
}

REGISTER(Spmm, gap_of_b_read, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
