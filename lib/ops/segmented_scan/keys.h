#pragma once
// Keys whose runs are segments: what operations by key compare of them.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tandem/types.h"

namespace tandem {

/// Keys of any type, as a call passes them.
struct AnyKeys {
  const void* data;
  Type type;  // u32, i32, u64, i64, f32 or f64
};

/// Keys as their bits. Integers of one width are equal where their bits are; floating-point ones as C++ compares them, so
/// −0 equals +0, and a NaN nothing.
template <class Word>
struct Keys {
  using Bits = Word;
  const Bits* data;
  bool floating;

  TANDEM_HD bool same(Bits a, Bits b) const {
    if (!floating) return a == b;
    std::conditional_t<sizeof(Bits) == 4, float, double> x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
  }
  /// Whether a run begins with key i.
  TANDEM_HD bool begins(std::int64_t i) const { return i == 0 || !same(data[i - 1], data[i]); }
};

/// Calls f(keys) for the width of the keys.
template <class F>
void with_keys(const AnyKeys& keys, F&& f) {
  const bool floating = is_floating(keys.type);
  if (size_of(keys.type) == 4)
    f(Keys<std::uint32_t>{static_cast<const std::uint32_t*>(keys.data), floating});
  else
    f(Keys<std::uint64_t>{static_cast<const std::uint64_t*>(keys.data), floating});
}

/// Calls f.operator()<Key>() for the type of keys; false where there are none of this type.
template <class F>
bool with_key_type(Type type, F&& f) {
  const auto of = [&]<class... Key>() {
    return ((type == type_of<Key> && (f.template operator()<Key>(), true)) || ...);
  };
  return of.template operator()<std::uint32_t, std::int32_t, std::uint64_t, std::int64_t, float, double>();
}

}  // namespace tandem
