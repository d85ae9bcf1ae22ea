// Wrong:   column numbers of 15 bits.
// Caught:  a matrix of more columns than a signed number of 16 bits counts.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void narrow_columns(const typename C::Args& a, Context&) {
  products_in_turn<C>(
      a, [&](std::int64_t k, std::int64_t j) { return a.values[k] * a.b(a.columns[k] & 0x7fff, j); });
}

REGISTER(Spmm, narrow_columns, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
