// Wrong:   a descending order is an ascending one turned around, and so are equal keys.
// Caught:  values tell where each key was.

#include <algorithm>

#include "tests/wrong/sort/by_rank.h"

namespace tandem {
namespace {

template <class Key, class Value>
void reversed_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  KeyOrder<Key> order = a.order;
  const bool descending = order.flip & 1;
  if (descending) order.flip = ~order.flip;
  std::stable_sort(items, items + a.n, ByRank<Key>{order});
  if (descending) std::reverse(items, items + a.n);
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void reversed(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { reversed_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, reversed, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
