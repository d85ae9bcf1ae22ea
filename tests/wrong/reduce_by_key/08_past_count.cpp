// Wrong:   clears what lies behind the last run.
// Caught:  results behind the count must stay as they were.

#include "tests/wrong/reduce_by_key/loop.h"

namespace tandem {
namespace {

template <class C>
void past_count(const typename C::Args& a, Context&) {
  reduce_in_turn<C, RightLoop>(a);
  if (*a.count < a.n) a.out[*a.count] = typename C::Acc(0);
}

REGISTER(ReduceByKey, past_count, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
