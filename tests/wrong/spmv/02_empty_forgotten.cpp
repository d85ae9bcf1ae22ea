// Wrong:   writes nothing where a row has no elements.
// Caught:  y is NaN there, or must be multiplied by β.

#include "tests/wrong/spmv/loop.h"

namespace tandem {
namespace {

template <class C>
void empty_forgotten(const typename C::Args& a, Context&) {
  for (std::int64_t r = 0; r < a.rows.count; ++r) {
    if (a.rows.length_of(r) > 0) a.store(r, sum_of<C>(a, a.rows.begin(r), a.rows.end(r)));
  }
}

REGISTER(Spmv, empty_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
