// Wrong:   the last elements, which fill no pack of four, are never looked at.
// Caught:  sizes that are no multiple of four, with some kept in the tail.

#include "tests/wrong/select/loop.h"

namespace tandem {
namespace {

template <class C>
void tail_dropped(const typename C::Args& a, Context&) {
  const std::int64_t whole = a.n / 4 * 4;
  select_in_turn(a, [&](std::int64_t i) { return i < whole && a.keeps(i); });
}

REGISTER(Select, tail_dropped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
