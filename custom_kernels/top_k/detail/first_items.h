#pragma once
// The last stage of steps on the CPU.

#include <algorithm>

#include "lib/ops/top_k/item.h"

namespace tandem {

/// The first k of `items` in order.
template <class Key>
void take_first(const TopK::ArgsOf<Key>& a, CodeAt<Key>* items, std::int64_t count) {
  if (a.k < count) std::nth_element(items, items + a.k - 1, items + count);
  std::sort(items, items + a.k);
  take(a, items);
}

}  // namespace tandem
