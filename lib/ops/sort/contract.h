#pragma once
// sort: keys in ascending or descending order, and values with them. Stable: keys that count as equal stay in
// their order.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "lib/core/registry.h"
#include "lib/ops/sort/key_order.h"

namespace tandem {

struct Sort {
  static constexpr const char* name = "sort";
  static constexpr const char* meaning =
      "keys in ascending or descending order, stable, and values with them";
  static constexpr std::array<std::string_view, 2> variants = {"keys", "pairs"};

  struct Shape {
    std::int64_t n;
    int value_bytes = 0;  // 4 or 8; 0: keys alone
    bool descending = false;
    bool in_place = false;
    bool all_bits = true;
    std::size_t variant() const { return value_bytes > 0; }
    /// Whether comparing keys may be the fastest: of longer arrays digits are, where few bits count, since there are fewer of them.
    bool suits_comparisons(std::int64_t longest) const { return all_bits || n <= longest; }
  };

  /// What stands in for the values of keys alone.
  struct NoValue {};

  /// Keys as their bits, and values as bits, too.
  template <class Key, class Value>
  struct Items {
    static constexpr bool kPairs = !std::is_same_v<std::remove_const_t<Value>, NoValue>;
    Key* keys;
    Value* values;  // null where there are keys alone
    TANDEM_HD Items<const Key, const Value> read_only() const { return {keys, values}; }
    TANDEM_HD Items operator+(std::int64_t i) const { return {keys + i, kPairs ? values + i : values}; }
  };

  /// What kernels get, for all types of keys of one width.
  template <class Key>
  struct ArgsOf {
    const Key* keys;  // n of them, as their bits
    std::int64_t n;
    Key* keys_out;       // may be `keys`
    const void* values;  // n of value_bytes each; null where that is 0
    void* values_out;    // may be `values`
    int value_bytes;     // 0, 4 or 8
    KeyOrder<Key> order;

    bool in_place() const { return keys_out == keys || (value_bytes > 0 && values_out == values); }
    template <class Value>
    Items<const Key, const Value> in() const {
      return {keys, static_cast<const Value*>(values)};
    }
    template <class Value>
    Items<Key, Value> out() const {
      return {keys_out, static_cast<Value*>(values_out)};
    }
  };

  template <class Element>
  struct Case {
    using T = Element;
    using Key = std::conditional_t<
        sizeof(T) == 1, std::uint8_t,
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
    using Args = ArgsOf<Key>;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    static KeyOrder<Key> order(bool descending, int begin_bit, int end_bit) {
      return KeyOrder<Key>::template of<T>(descending, begin_bit, end_bit);
    }
  };
  using Cases =
      CaseList<Case<float>, Case<double>, Case<std::int32_t>, Case<std::int64_t>, Case<std::uint32_t>,
               Case<std::uint64_t>, Case<half>, Case<bfloat16>, Case<std::int8_t>, Case<std::uint8_t>>;

  /// Calls f.operator()<Value>() for the unsigned type of this size, or NoValue.
  template <class F>
  static void with_values(int value_bytes, F&& f) {
    if (value_bytes == 0)
      f.template operator()<NoValue>();
    else if (value_bytes == 4)
      f.template operator()<std::uint32_t>();
    else
      f.template operator()<std::uint64_t>();
  }

  /// Where no bit counts all keys are equal. Kernels get at least one key, and one bit.
  template <class C>
  static bool done_without_work(const typename C::Args& a, Context& ctx) {
    if (a.n > 0 && a.order.width > 0) return false;
    const auto copy = [&](void* to, const void* from, std::size_t size) {
      if (const auto bytes = static_cast<std::size_t>(a.n) * size; to != from && bytes > 0)
        ctx.copy(to, from, bytes);
    };
    copy(a.keys_out, a.keys, sizeof(typename C::Key));
    copy(a.values_out, a.values, static_cast<std::size_t>(a.value_bytes));
    return true;
  }
};

}  // namespace tandem
