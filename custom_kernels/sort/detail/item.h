#pragma once
// A key together with its value, for steps that move both at once.

#include "lib/ops/sort/contract.h"

namespace tandem {

template <class Key, class Value>
struct Item {
  Key key;
  Value value;
};
template <class Key>
struct Item<Key, Sort::NoValue> {
  Key key;
};

/// Whether one item comes before another.
template <bool kFloating, class Key>
struct Before {
  KeyOrder<Key> order;
  template <class Value>
  bool operator()(const Item<Key, Value>& x, const Item<Key, Value>& y) const {
    return order.template rank_of<kFloating>(x.key) < order.template rank_of<kFloating>(y.key);
  }
};

template <class Key, class Value>
void gather(Sort::Items<const Key, const Value> from, std::int64_t n, Item<Key, Value>* to) {
  for (std::int64_t i = 0; i < n; ++i) {
    to[i].key = from.keys[i];
    if constexpr (from.kPairs) to[i].value = from.values[i];
  }
}
template <class Key, class Value>
void scatter(const Item<Key, Value>* from, std::int64_t n, Sort::Items<Key, Value> to) {
  for (std::int64_t i = 0; i < n; ++i) {
    to.keys[i] = from[i].key;
    if constexpr (to.kPairs) to.values[i] = from[i].value;
  }
}

}  // namespace tandem
