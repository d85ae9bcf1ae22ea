// Wrong:   keys that count as equal leave their order, as in std::sort.
// Caught:  values tell where each key was.

#include <algorithm>

#include "tests/wrong/sort/by_rank.h"

namespace tandem {
namespace {

template <class Key, class Value>
void unstable_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  std::sort(items, items + a.n, ByRank<Key>{a.order});
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void unstable(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes, [&]<class Value>() { unstable_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, unstable, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
