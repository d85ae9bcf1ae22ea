// Wrong:   the digit is chosen while others still count.
// Caught:  races, and other orders of threads.

#include "tests/wrong/top_k/digits.cuh"

namespace tandem {
namespace {

template <class C>
void missing_barrier(const typename C::Args& a, Context& ctx) {
  digits::select<digits::Mistake::missing_barrier, C>(a, ctx);
}

REGISTER(TopK, missing_barrier, .note = "wrong on purpose", .refuses = digits::too_long)

}  // namespace
}  // namespace tandem
