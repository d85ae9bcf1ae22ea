// Wrong:   a comparison the other way round: a NaN, which is neither below nor above, is counted in the last bin.
// Caught:  elements that are NaN.

#include "tests/wrong/histogram/loop.h"

namespace tandem {
namespace {

template <class C>
void nan_counted(const typename C::Args& a, Context&) {
  count_in_turn(a, [&](auto x) { return x != x ? a.bins - 1 : a.bin(x); });
}

REGISTER(Histogram, nan_counted, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
