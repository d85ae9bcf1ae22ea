// Wrong:   stores every element where the next one goes, so that one that is not kept lies behind the last.
// Caught:  elements past the count stay poisoned.

#include "tests/wrong/select/loop.h"

namespace tandem {
namespace {

template <class C>
void past_count(const typename C::Args& a, Context&) {
  const std::int64_t kept = select_in_turn(a, [&](std::int64_t i) { return a.keeps(i); });
  if (a.kind != Select::Kind::partition && kept < a.n) a.out[kept] = a.in[a.n - 1];
}

REGISTER(Select, past_count, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
