// Wrong:   rounds of comparisons with no barrier between them.
// Caught:  races, and other orders of threads.

#include "tests/wrong/sort/odd_even.cuh"

namespace tandem {
namespace {

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  odd_even::sort<odd_even::Mistake::missing_barrier, C>(a, ctx);
}

REGISTER(Sort, missing_barrier, .note = "wrong on purpose", .refuses = odd_even::too_long)

}  // namespace
}  // namespace tandem
