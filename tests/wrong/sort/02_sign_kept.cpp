// Wrong:   orders keys by their bits: negative integers come last.
// Caught:  keys of both signs.

#include <algorithm>

#include "tests/wrong/sort/by_rank.h"

namespace tandem {
namespace {

template <class Key, class Value>
void sign_kept_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  KeyOrder<Key> order = a.order;
  order.flip = order.flip & 1 ? ~Key(0) : Key(0);
  std::stable_sort(items, items + a.n, ByRank<Key>{order});
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void sign_kept(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { sign_kept_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, sign_kept, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
