// Wrong:   counts of a digit begin where those of the digit before ended.
// Caught:  keys that differ in more than one digit.

#include "tests/wrong/top_k/digits.cuh"

namespace tandem {
namespace {

template <class C>
void stale_counts(const typename C::Args& a, Context& ctx) {
  digits::select<digits::Mistake::stale_counts, C>(a, ctx);
}

REGISTER(TopK, stale_counts, .note = "wrong on purpose", .refuses = digits::too_long)

}  // namespace
}  // namespace tandem
