// Wrong:   of several elements in one column of a row the last one counts, as if they were assigned.
// Caught:  graphs have edges twice.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void last_of_a_column(const typename C::Args& a, Context&) {
  rows_in_turn<C>(a, [&](std::int64_t begin, std::int64_t end, std::int64_t j) {
    typename C::T sum = 0;
    for (std::int64_t k = begin; k < end; ++k) {
      bool last = true;
      for (std::int64_t later = k + 1; later < std::min(end, k + 8); ++later)
        last = last && a.columns[later] != a.columns[k];
      if (last) sum += a.product(k, j);
    }
    return sum;
  });
}

REGISTER(Spmm, last_of_a_column, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
