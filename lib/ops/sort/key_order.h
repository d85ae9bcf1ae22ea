#pragma once
// How the keys of one call are ordered: by unsigned numbers of their width, their codes. Kernels are compiled for the
// width of a key, not for its type.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tandem/export.h"

namespace tandem {

/// A key as its bits: std::uint32_t or std::uint64_t.
template <class Key>
struct KeyOrder {
  static constexpr int kBits = 8 * sizeof(Key);

  Key flip;          // of every code: the sign of signed keys, all bits where the order is descending
  bool floating;     // keys are IEEE numbers
  int begin, width;  // the bits of the code that count

  template <class T>
  static KeyOrder of(bool descending, int begin_bit, int end_bit) {
    constexpr bool kSigned = std::is_integral_v<T> && std::is_signed_v<T>;
    const Key sign = kSigned ? Key(1) << (kBits - 1) : 0;
    return {static_cast<Key>(descending ? ~sign : sign), std::is_floating_point_v<T>, begin_bit,
            end_bit - begin_bit};
  }

  /// The bits of an IEEE number, in the order −∞ < … < −0 = +0 < … < ∞ < NaN; one NaN is as good as another.
  TANDEM_HD static Key of_number(Key key) {
    using Number = std::conditional_t<kBits == 32, float, double>;
    using Signed = std::make_signed_t<Key>;
    Number number;
    memcpy(&number, &key, sizeof key);
    number += Number(0);  // −0 becomes +0
    memcpy(&key, &number, sizeof key);
    const auto negative = static_cast<Key>(static_cast<Signed>(key) >> (kBits - 1));  // all bits, or none
    return number == number ? key ^ (negative | Key(1) << (kBits - 1)) : ~Key(0);
  }
  TANDEM_HD Key code(Key key) const { return (floating ? of_number(key) : key) ^ flip; }
  /// The bits that count, as a number, where there are any: keys whose ranks are equal stay in their order.
  TANDEM_HD Key rank(Key key) const { return (code(key) >> begin) & (~Key(0) >> (kBits - width)); }
  /// `bits` of the rank, from bit `from` on.
  TANDEM_HD unsigned digit(Key key, int from, int bits) const {
    return static_cast<unsigned>(rank(key) >> from) & ((1u << bits) - 1);
  }
};

/// As KeyOrder::digit for one digit of many keys, whose type is known to the compiler: a shift, and one operation for
/// flip and mask.
template <class Key, bool kFloating>
struct KeyDigit {
  int shift;
  unsigned flip, mask;

  TANDEM_HD KeyDigit(const KeyOrder<Key>& order, int from, int bits)
      : shift(order.begin + from), flip(static_cast<unsigned>(order.flip >> shift)), mask((1u << bits) - 1) {}
  TANDEM_HD unsigned operator()(Key key) const {
    if constexpr (kFloating) key = KeyOrder<Key>::of_number(key);
    return (static_cast<unsigned>(key >> shift) ^ flip) & mask;
  }
};

}  // namespace tandem
