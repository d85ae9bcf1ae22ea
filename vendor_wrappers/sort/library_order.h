#pragma once
// What sorts of libraries are given, and what stands around their calls: they sort where the items lie, so these are
// copied there first.

#include "lib/core/library_call.h"
#include "lib/ops/sort/contract.h"

namespace tandem {

/// A comparison of keys as their bits, which serves all types of one width and both orders.
template <class Key>
struct RankLess {
  KeyOrder<Key> order;
  TANDEM_HD bool operator()(Key a, Key b) const { return order.rank(a) < order.rank(b); }
};

template <class Key>
bool descending(const KeyOrder<Key>& order) {
  return order.flip & 1;
}

/// Calls f(less) with the comparison of an order: the library's own one of unsigned numbers where keys are such, and
/// ascend, else that of ranks.
template <template <class> class Less, class Key, class F>
void with_less(const KeyOrder<Key>& order, F&& f) {
  if (order.flip == 0 && !order.floating && order.width == KeyOrder<Key>::kBits)
    f(Less<Key>());
  else
    f(RankLess<Key>{order});
}

/// Puts the items where the output is.
template <class Key>
void copy_to_output(const Sort::ArgsOf<Key>& a, Context& ctx) {
  const auto n = static_cast<std::size_t>(a.n);
  if (a.keys_out != a.keys) ctx.copy(a.keys_out, a.keys, n * sizeof(Key));
  if (a.value_bytes > 0 && a.values_out != a.values)
    ctx.copy(a.values_out, a.values, n * static_cast<std::size_t>(a.value_bytes));
}

}  // namespace tandem
