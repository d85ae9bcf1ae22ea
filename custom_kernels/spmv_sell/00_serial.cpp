// Idea:    two loops: over the rows, over the elements of each, which lie slice_rows apart. Every later step must agree with this one.
// Expect:  one dependent addition per element; and of a thin matrix each cache line is read once for every row of its slice that has
//          an element there, which the cache must bear.
// Limits:  one core; an error that grows with the length of a row. Padding is read and left out.

#include "custom_kernels/spmv_sell/detail/row_groups.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& a, Context&) {
  for (std::int64_t p = 0; p < a.rows; ++p) a.store(p, row_sum(a, p));
}

REGISTER(SpmvSell, serial, .note = "two loops")

}  // namespace
}  // namespace tandem
