// Wrong:   a NaN with a sign comes before all numbers, as its bits say.
// Caught:  NaNs of both signs.

#include <algorithm>

#include "custom_kernels/sort/detail/item.h"

namespace tandem {
namespace {

template <class Key, class Value>
void nan_first_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  constexpr Key kSign = Key(1) << (8 * sizeof(Key) - 1);
  KeyOrder<Key> order = a.order;
  const auto by_bits = [&](Key key) {
    if (!a.order.floating) return a.order.rank(key);
    order.floating = false;
    return order.rank(key == kSign ? kSign : key & kSign ? Key(~key) : key | kSign);
  };
  std::stable_sort(items, items + a.n,
                   [&](const auto& x, const auto& y) { return by_bits(x.key) < by_bits(y.key); });
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void nan_first(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { nan_first_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, nan_first, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
