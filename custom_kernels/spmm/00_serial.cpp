// Idea:    three loops: over the rows of A, over the columns of B, over the elements of the row. Every later step must agree with
//          this one.
// Expect:  one dependent addition per product, and a line of B fetched for one element of it. A is read once for each column.
// Limits:  one core; an error that grows with the length of a row.

#include "lib/ops/spmm/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& given, Context&) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    for (std::int64_t r = 0; r < a.rows.count; ++r) {
      for (std::int64_t j = 0; j < a.width; ++j) {
        typename K::T sum = 0;
        for (std::int64_t k = a.rows.begin(r); k < a.rows.end(r); ++k) sum += a.product(k, j);
        a.store(r, j, sum);
      }
    }
  });
}

REGISTER(Spmm, serial, .note = "three loops")

}  // namespace
}  // namespace tandem
