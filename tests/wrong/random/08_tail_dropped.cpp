// Wrong:   only whole groups of four numbers are made.
// Caught:  sizes that are no multiple of four.

#include "tests/wrong/random/loop.h"

namespace tandem {
namespace {

template <class C>
void tail_dropped(const typename C::Args& a, Context&) {
  typename C::Args whole = a;
  whole.n = a.n & ~std::int64_t{3};
  numbers_in_turn<C>(whole, [](std::uint64_t i) { return i; });
}

REGISTER(Random, tail_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
