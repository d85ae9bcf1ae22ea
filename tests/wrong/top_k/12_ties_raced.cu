// Wrong:   of keys that are equal to the k-th those are taken whose threads come first.
// Caught:  positions where the k-th is inside a tie.

#include "tests/wrong/top_k/digits.cuh"

namespace tandem {
namespace {

template <class C>
void ties_raced(const typename C::Args& a, Context& ctx) {
  digits::select<digits::Mistake::ties_raced, C>(a, ctx);
}

REGISTER(TopK, ties_raced, .note = "wrong on purpose", .refuses = digits::too_long)

}  // namespace
}  // namespace tandem
