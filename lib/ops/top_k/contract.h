#pragma once
// top_k: what a stable sort would put first, the k largest or smallest keys in order, and where they stand.

#include <array>
#include <cstdint>
#include <string_view>

#include "lib/core/registry.h"
#include "lib/ops/sort/contract.h"

namespace tandem {

struct TopK {
  static constexpr const char* name = "top_k";
  static constexpr const char* meaning = "the k largest or smallest keys in order, and where they stand";
  static constexpr std::array<std::string_view, 2> variants = {"keys", "positions"};
  static constexpr std::array<std::string_view, 2> features = {"n", "k"};

  struct Shape {
    std::int64_t n, k;
    bool descending = true;
    bool keys = true;       // are asked for
    bool positions = true;  // are asked for
    std::array<std::int64_t, 3> features() const { return {n, k}; }
    std::size_t variant() const { return positions; }
  };

  /// What kernels get, for all types of keys of one width.
  template <class KeyBits>
  struct ArgsOf {
    using Key = KeyBits;
    const Key* in;  // n keys, as their bits
    std::int64_t n;
    std::int64_t k;               // from 1 to n
    Key* keys_out;                // k; null where they are not asked for
    std::int64_t* positions_out;  // k; null where they are not asked for
    KeyOrder<Key> order;          // what comes first has the smallest code
  };

  template <class Element>
  struct Case {
    using T = Element;
    using Key = typename Sort::Case<T>::Key;
    using Args = ArgsOf<Key>;
    static constexpr CaseId id{type_of<T>, OperatorId::none};
    static KeyOrder<Key> order(bool descending) {
      return KeyOrder<Key>::template of<T>(descending, 0, KeyOrder<Key>::kBits);
    }
  };
  using Cases =
      CaseList<Case<float>, Case<double>, Case<std::int32_t>, Case<std::int64_t>, Case<std::uint32_t>,
               Case<std::uint64_t>, Case<half>, Case<bfloat16>, Case<std::int8_t>, Case<std::uint8_t>>;

  /// Kernels get at least one key, and take at least one.
  template <class C>
  static bool done_without_work(const typename C::Args& a, Context&) {
    return a.k == 0;
  }
};

}  // namespace tandem
