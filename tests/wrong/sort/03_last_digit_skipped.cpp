// Wrong:   leaves out the digit of the highest eight bits, as a loop does that ends a pass early.
// Caught:  keys that differ in their highest bits.

#include <algorithm>

#include "tests/wrong/sort/by_rank.h"

namespace tandem {
namespace {

template <class Key, class Value>
void last_digit_skipped_sort(const Sort::ArgsOf<Key>& a, Context& ctx) {
  auto* items = ctx.scratch<Item<Key, Value>>(a.n);
  gather(a.template in<Value>(), a.n, items);
  KeyOrder<Key> order = a.order;
  order.width = std::max(1, order.width - 8);
  std::stable_sort(items, items + a.n, ByRank<Key>{order});
  scatter(items, a.n, a.template out<Value>());
}

template <class C>
void last_digit_skipped(const typename C::Args& a, Context& ctx) {
  Sort::with_values(a.value_bytes,
                    [&]<class Value>() { last_digit_skipped_sort<typename C::Key, Value>(a, ctx); });
}

REGISTER(Sort, last_digit_skipped, .note = "wrong on purpose")

}  // namespace
}  // namespace tandem
