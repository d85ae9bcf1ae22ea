// Wrong:   the count is one too large where n is a multiple of 4,096.
// Caught:  sizes of whole tiles are tested.

#include "tests/wrong/select/loop.h"

namespace tandem {
namespace {

template <class C>
void count_at_edge(const typename C::Args& a, Context&) {
  select_in_turn(a, [&](std::int64_t i) { return a.keeps(i); });
  if (a.n % 4096 == 0) ++*a.count;
}

REGISTER(Select, count_at_edge, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
