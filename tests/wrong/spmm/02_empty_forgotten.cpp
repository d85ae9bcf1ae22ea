// Wrong:   writes nothing where a row has no elements.
// Caught:  C is NaN there, or must be multiplied by β.

#include "tests/wrong/spmm/loop.h"

namespace tandem {
namespace {

template <class C>
void empty_forgotten(const typename C::Args& a, Context&) {
  elements_in_turn<C>(
      a, [&](std::int64_t r, std::int64_t j) { return sum_of<C>(a, r, j); },
      [&](std::int64_t r, std::int64_t j, typename C::T sum) {
        if (a.rows.length_of(r) > 0) a.store(r, j, sum);
      });
}

REGISTER(Spmm, empty_forgotten, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
