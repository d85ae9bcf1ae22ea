// Idea:    two loops: over the rows, over the elements of each. Every later step must agree with this one.
// Expect:  one dependent addition per element, behind a load of x from wherever the column number says; and for short rows
//          a branch per row that the processor guesses wrong.
// Limits:  one core; an error that grows with the length of a row.

#include "lib/ops/spmv/contract.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& given, Context&) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    for (std::int64_t r = 0; r < a.rows.count; ++r) {
      typename K::T sum = 0;
      for (std::int64_t k = a.rows.begin(r); k < a.rows.end(r); ++k) sum += a.product(k);
      a.store(r, sum);
    }
  });
}

REGISTER(Spmv, serial, .note = "two loops")

}  // namespace
}  // namespace tandem
