// Wrong:   the last item of an odd number is never written.
// Caught:  poisoned output.

#include "tests/wrong/sort/odd_even.cuh"

namespace tandem {
namespace {

template <class C>
void tail_lost(const typename C::Args& a, Context& ctx) {
  odd_even::sort<odd_even::Mistake::tail_lost, C>(a, ctx);
}

REGISTER(Sort, tail_lost, .note = "wrong on purpose", .refuses = odd_even::too_long)

}  // namespace
}  // namespace tandem
