// Wrong:   keeps what lies neither below nor above the range, so a NaN, too.
// Caught:  arrays with a NaN, which lies in no range.

#include "tests/wrong/select/loop.h"

namespace tandem {
namespace {

template <class C>
void nan_selected(const typename C::Args& a, Context&) {
  const bool by_range = a.kind == Select::Kind::predicate || a.kind == Select::Kind::partition;
  select_in_turn(a, [&](std::int64_t i) {
    return by_range ? (!(a.in[i] < a.range.low) && !(a.in[i] > a.range.high)) != a.range.others : a.keeps(i);
  });
}

REGISTER(Select, nan_selected, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
