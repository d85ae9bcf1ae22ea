#pragma once
// Element types that no user can name: one to test that operands keep their order, one to count what an
// algorithm does. The steps of the contracts that name them are compiled for them beside the public types.

#include <cstdint>

#include "tandem/operators.h"

namespace tandem {

/// Element of the bicyclic monoid: associative, not commutative.
struct Bicyclic {
  std::uint32_t close, open;  // ")" and "(" left after cancelling every "()" of a string of brackets
  friend bool operator==(const Bicyclic&, const Bicyclic&) = default;
};

/// What n elements cost. An application counts whatever its operands are, the operator's identity included.
struct Complexity {
  std::int64_t work = 0;   // applications of the operator
  std::int64_t steps = 0;  // the longest chain of them in which each needs the one before
  std::int64_t peak = 0;   // the most of them at one depth of their chains: what can happen side by side
};

namespace detail {
/// What was applied to Counted elements since the last call; its steps are 0.
TANDEM_API Complexity take_applications();
TANDEM_API void count_application(std::int32_t depth);
}  // namespace detail

/// An integer that knows how many applications of + led to it.
struct Counted {
  std::int32_t value = 0;
  std::int32_t depth = 0;
  Counted() = default;
  explicit Counted(int value) : value(value) {}
  friend Counted operator+(Counted a, Counted b) {
    Counted sum(a.value + b.value);
    sum.depth = (a.depth > b.depth ? a.depth : b.depth) + 1;
    detail::count_application(sum.depth);
    return sum;
  }
};

inline constexpr Type kBicyclic = static_cast<Type>(100);
inline constexpr OperatorId kConcatenate = static_cast<OperatorId>(100);

template <>
struct TypeTraits<Bicyclic> {
  static constexpr Type type = kBicyclic;
  static constexpr bool floating = false;
  using Accumulator = Bicyclic;
};
template <>
struct TypeTraits<Counted> {
  static constexpr Type type = Type::i64;  // for messages and refusals alone: it moves like an i64
  static constexpr bool floating = false;
  using Accumulator = Counted;
};

/// Joins two strings of brackets: the product of the bicyclic monoid.
struct Concatenate : detail::Unlifted {
  static constexpr OperatorId id = kConcatenate;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return T{0, 0};
  }
  TANDEM_HD constexpr Bicyclic operator()(Bicyclic a, Bicyclic b) const {
    const std::uint32_t cancelled = a.open < b.close ? a.open : b.close;
    return {a.close + b.close - cancelled, a.open + b.open - cancelled};
  }
};

}  // namespace tandem
