// Wrong:   half as many rounds as there are keys: those that have far to go do not arrive.
// Caught:  keys in reverse.

#include "tests/wrong/sort/odd_even.cuh"

namespace tandem {
namespace {

template <class C>
void too_few_rounds(const typename C::Args& a, Context& ctx) {
  odd_even::sort<odd_even::Mistake::too_few_rounds, C>(a, ctx);
}

REGISTER(Sort, too_few_rounds, .note = "wrong on purpose", .refuses = odd_even::too_long)

}  // namespace
}  // namespace tandem
