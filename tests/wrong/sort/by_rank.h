#pragma once
// A comparison of items whatever their keys are.

#include "custom_kernels/sort/detail/item.h"

namespace tandem {

template <class Key>
struct ByRank {
  KeyOrder<Key> order;
  template <class Value>
  bool operator()(const Item<Key, Value>& x, const Item<Key, Value>& y) const {
    return order.rank(x.key) < order.rank(y.key);
  }
};

}  // namespace tandem
