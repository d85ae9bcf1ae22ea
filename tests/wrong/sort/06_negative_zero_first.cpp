// Wrong:   −0 comes before +0.
// Caught:  zeros of both signs, in any order.

#include <algorithm>
#include <utility>

#include "custom_kernels/sort/detail/item.h"

namespace tandem {
namespace {

template <class Key, class Value>
void negative_zero_first_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  const auto rank = [&](Key key) {
    const bool negative_zero = a.order.floating && key == Key(1) << (8 * sizeof(Key) - 1);
    return std::pair(a.order.rank(key), a.order.flip & 1 ? negative_zero : !negative_zero && key == 0);
  };
  std::stable_sort(items, items + a.n,
                   [&](const auto& x, const auto& y) { return rank(x.key) < rank(y.key); });
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void negative_zero_first(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes,
                    [&]<class Value>() { negative_zero_first_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, negative_zero_first, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
