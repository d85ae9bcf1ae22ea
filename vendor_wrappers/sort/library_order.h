#pragma once
// What sorts of libraries are given, and what stands around their calls: they sort where the items lie, so these are
// copied there first.

#include "lib/core/library_call.h"
#include "lib/ops/sort/contract.h"

namespace tandem {

/// A comparison of keys, NaN behind all numbers.
template <class T, bool kDescending>
struct KeyLess {
  TANDEM_HD bool operator()(T a, T b) const { return kDescending ? before(b, a) : before(a, b); }
  TANDEM_HD static bool before(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a < b || (b != b && a == a);
    else
      return a < b;
  }
};
/// The same of keys as their bits, where only some bits count.
template <class Key>
struct RankLess {
  KeyOrder<Key> order;
  TANDEM_HD bool operator()(Key a, Key b) const { return order.rank(a) < order.rank(b); }
};

/// Whether the order is descending, and whether all bits of the keys count.
template <class Key>
bool descending(const KeyOrder<Key>& order) {
  return order.flip & 1;
}
template <class Key>
bool all_bits(const KeyOrder<Key>& order) {
  return order.width == KeyOrder<Key>::kBits;
}

/// Calls f.operator()<K>(less) with the comparison of an order and the type that keys are read as: Less<T, descending>
/// on T where all bits count.
template <class T, template <class, bool> class Less = KeyLess, class Key, class F>
void with_less(const KeyOrder<Key>& order, F&& f) {
  if (!all_bits(order))
    f.template operator()<Key>(RankLess<Key>{order});
  else if (descending(order))
    f.template operator()<T>(Less<T, true>());
  else
    f.template operator()<T>(Less<T, false>());
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
