#pragma once
// What sorts of libraries are given, and what stands around their calls: they sort where the items lie, so these are
// copied there first.

#include "lib/core/library_call.h"
#include "lib/ops/sort/contract.h"

namespace tandem {

/// A comparison of numbers, NaN behind all others.
template <class T>
struct NumberLess {
  TANDEM_HD bool operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a < b || (b != b && a == a);
    else
      return a < b;
  }
};
/// A comparison of keys as their bits, which serves all types of one width, both orders and any range of bits.
template <class Key>
struct RankLess {
  KeyOrder<Key> order;
  TANDEM_HD bool operator()(Key a, Key b) const { return order.rank(a) < order.rank(b); }
};

template <class Key>
bool descending(const KeyOrder<Key>& order) {
  return order.flip & 1;
}

/// Calls f.operator()<K>(less) with the comparison of an order and the type that keys are read as. Numbers in ascending
/// order are compared by Less, for ranks of floating-point ones take longer; all others, and those that are storage alone, by ranks.
template <class T, template <class> class Less, class Key, class F>
void with_less(const KeyOrder<Key>& order, F&& f) {
  if constexpr (std::is_floating_point_v<T> || std::is_unsigned_v<T>) {
    if (!descending(order) && order.width == KeyOrder<Key>::kBits) return f.template operator()<T>(Less<T>());
  }
  f.template operator()<Key>(RankLess<Key>{order});
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
