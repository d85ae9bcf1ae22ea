// Wrong:   all bits of the keys count, whatever the call says.
// Caught:  ranges of bits.

#include <algorithm>

#include "tests/wrong/sort/by_rank.h"

namespace tandem {
namespace {

template <class Key, class Value>
void bits_ignored_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  KeyOrder<Key> order = a.order;
  order.begin = 0, order.width = 8 * sizeof(Key);
  std::stable_sort(items, items + a.n, ByRank<Key>{order});
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void bits_ignored(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { bits_ignored_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, bits_ignored, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
