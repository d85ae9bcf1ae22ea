// Idea:    substitution: row after row from the end at which a row needs no other. Every later step must agree with this one.
// Expect:  a dependent addition per element, behind a load of x from wherever the column number says, and a division per row;
//          where a row needs the one before, its sum waits for that division.
// Limits:  one core.
// Source:  Higham 2002, "Accuracy and stability of numerical algorithms", chapter 8.

#include "custom_kernels/sptrsv/detail/row.h"

namespace tandem {
namespace {

template <class C>
void serial(const typename C::Args& given, Context&) {
  with_columns<C>(given, [&]<class K>(const typename K::Args& a) {
    for (std::int64_t i = 0; i < a.rows; ++i) solve_row(a, a.upper ? a.rows - 1 - i : i);
  });
}

REGISTER(Sptrsv, serial, .note = "row after row")

}  // namespace
}  // namespace tandem
