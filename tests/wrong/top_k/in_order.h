#pragma once
// The first k by a comparison of codes with positions, and where they go.

#include <algorithm>
#include <functional>

#include "lib/ops/top_k/item.h"

namespace tandem::in_order {

template <class Key, class Before>
void take_by(const TopK::ArgsOf<Key>& a, CodeAt<Key>* items, Before before) {
  std::partial_sort(items, items + a.k, items + a.n, before);
  take(a, items);
}

/// As codes_with_positions, with another code.
template <class Key, class Code>
CodeAt<Key>* coded(const TopK::ArgsOf<Key>& a, Context& ctx, Code code) {
  CodeAt<Key>* items = codes_with_positions(a, ctx);
  for (std::int64_t i = 0; i < a.n; ++i) items[i].code = code(a.in[i]);
  return items;
}

}  // namespace tandem::in_order
