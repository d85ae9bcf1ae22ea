// Wrong:   of a row no more than 4,096 elements.
// Caught:  rows of more.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void long_row_cut(const typename C::Args& a, Context&) {
  rows_in_turn<C>(
      a,
      [&](std::int64_t begin, std::int64_t end) {
        return sum_of<C>(a, begin, std::min<std::int64_t>(end, begin + 4096));
      },
      [&](std::int64_t r, typename C::T sum) { a.store(r, sum); });
}

REGISTER(Spmv, long_row_cut, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
