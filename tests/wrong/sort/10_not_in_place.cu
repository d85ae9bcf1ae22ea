// Wrong:   writes items where others are still to be read.
// Caught:  calls in place.

#include "tests/wrong/sort/odd_even.cuh"

namespace tandem {
namespace {

template <class C>
void not_in_place(const typename C::Args& a, Context& ctx) {
  odd_even::sort<odd_even::Mistake::not_in_place, C>(a, ctx);
}

REGISTER(Sort, not_in_place, .note = "wrong on purpose", .refuses = odd_even::too_long)

}  // namespace
}  // namespace tandem
