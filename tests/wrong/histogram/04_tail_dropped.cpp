// Wrong:   the last elements, which fill no pack of sixteen bytes, are never looked at.
// Caught:  sizes that are no multiple of a pack.

#include "tests/wrong/histogram/loop.h"

namespace tandem {
namespace {

template <class C>
void tail_dropped(const typename C::Args& a, Context&) {
  typename C::Args whole = a;
  whole.n -= a.n % (16 / sizeof(typename C::T));
  count_in_turn(whole, [&](auto x) { return a.bin(x); });
}

REGISTER(Histogram, tail_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
