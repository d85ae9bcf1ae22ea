#pragma once
// How the keys of one call are ordered: by unsigned numbers of their width, their codes. Kernels are compiled for the
// width of a key, not for its type.

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tandem/types.h"

namespace tandem {

/// A key as its bits, an unsigned number of 8, 16, 32 or 64.
template <class Key>
struct KeyOrder {
  static constexpr int kBits = 8 * sizeof(Key);
  static constexpr Key kAll = static_cast<Key>(~Key(0));

  Key flip;          // of every code: the sign of signed keys, all bits where the order is descending
  bool floating;     // keys are floating-point numbers
  Key infinity;      // its bits, where they are
  int begin, width;  // the bits of the code that count

  template <class T>
  static KeyOrder of(bool descending, int begin_bit, int end_bit) {
    constexpr bool kFloating = TypeTraits<T>::floating,
                   kSigned = std::is_integral_v<T> && std::is_signed_v<T>;
    const Key sign = kSigned ? Key(1) << (kBits - 1) : 0;
    Key infinity = 0;
    if constexpr (kFloating) infinity = std::bit_cast<Key>(std::numeric_limits<T>::infinity());
    return {static_cast<Key>(descending ? ~sign : sign), kFloating, infinity, begin_bit, end_bit - begin_bit};
  }

  /// The bits of a floating-point number, in the order −∞ < … < −0 = +0 < … < ∞ < NaN; one NaN is as good as another.
  TANDEM_HD static Key of_number(Key key, [[maybe_unused]] Key infinity) {
    constexpr Key kSign = Key(1) << (kBits - 1);
    if constexpr (kBits <= 16) {  // of two formats
      const auto magnitude = static_cast<Key>(key & ~kSign);
      const bool negative = magnitude != 0 && (key & kSign) != 0;
      return magnitude > infinity ? kAll : static_cast<Key>(negative ? ~key : magnitude | kSign);
    } else {
      return of_wide_number(key);
    }
  }
  TANDEM_HD static Key of_wide_number(Key key) {
    using Number = std::conditional_t<kBits == 32, float, double>;
    using Signed = std::make_signed_t<Key>;
    Number number;
    memcpy(&number, &key, sizeof key);
    number += Number(0);  // −0 becomes +0
    memcpy(&key, &number, sizeof key);
    const auto negative = static_cast<Key>(static_cast<Signed>(key) >> (kBits - 1));  // all bits, or none
    return number == number ? key ^ (negative | Key(1) << (kBits - 1)) : kAll;
  }
  /// The code of a key, whose kind is known to the compiler.
  template <bool kFloating>
  TANDEM_HD Key code_of(Key key) const {
    return static_cast<Key>((kFloating ? of_number(key, infinity) : key) ^ flip);
  }
  TANDEM_HD Key code(Key key) const { return floating ? code_of<true>(key) : code_of<false>(key); }
  /// The floating-point key whose code this is: of several, zeros and NaNs, one.
  TANDEM_HD Key number_of(Key code) const {
    constexpr Key kSign = Key(1) << (kBits - 1);
    code ^= flip;
    return static_cast<Key>(code & kSign ? code ^ kSign : ~code);
  }
  /// The bits that count, as a number, where there are any: keys whose ranks are equal stay in their order.
  TANDEM_HD Key rank(Key key) const { return that_count(code(key)); }
  template <bool kFloating>
  TANDEM_HD Key rank_of(Key key) const {
    return that_count(code_of<kFloating>(key));
  }
  /// `bits` of the rank, from bit `from` on.
  TANDEM_HD unsigned digit(Key key, int from, int bits) const {
    return static_cast<unsigned>(rank(key) >> from) & ((1u << bits) - 1);
  }

 private:
  TANDEM_HD Key that_count(Key code) const {
    return static_cast<Key>((code >> begin) & (kAll >> (kBits - width)));
  }
};

/// As KeyOrder::digit for one digit of many keys, whose type is known to the compiler: a shift, and one operation for
/// flip and mask.
template <class Key, bool kFloating>
struct KeyDigit {
  int shift;
  unsigned flip, mask;
  Key infinity;

  TANDEM_HD KeyDigit(const KeyOrder<Key>& order, int from, int bits)
      : shift(order.begin + from),
        flip(static_cast<unsigned>(order.flip >> shift)),
        mask((1u << bits) - 1),
        infinity(order.infinity) {}
  TANDEM_HD unsigned operator()(Key key) const {
    if constexpr (kFloating) key = KeyOrder<Key>::of_number(key, infinity);
    return (static_cast<unsigned>(key >> shift) ^ flip) & mask;
  }
};

}  // namespace tandem
