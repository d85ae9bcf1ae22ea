// Wrong:   of values of eight bytes only the lower four are moved.
// Caught:  values that differ in both halves.

#include <algorithm>
#include <vector>

#include "tests/wrong/sort/by_rank.h"

namespace tandem {
namespace {

template <class Key, class Value>
void half_values_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  std::stable_sort(items, items + a.n, ByRank<Key>{a.order});
  if constexpr (sizeof(Value) == 8) {
    const auto in = a.template in<Value>();
    std::vector<Value> before(in.values, in.values + a.n);
    for (std::int64_t i = 0; i < a.n; ++i)
      items[i].value = (before[static_cast<std::size_t>(i)] >> 32 << 32) | (items[i].value & 0xFFFFFFFFu);
  }
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void half_values(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { half_values_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, half_values, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
