#pragma once
// An element that counts what an algorithm does with it. A contract names a case with such elements
// (`Contract::Counting`), and every hand-written CPU step and portable kernel is instantiated for it.

#include <cstdint>

#include "tandem/export.h"
#include "tandem/types.h"

namespace tandem {

/// What n elements cost. An application counts whatever its operands are, the operator's identity included.
struct Complexity {
  std::int64_t work;   // applications of the operator
  std::int64_t steps;  // the longest chain of them in which each needs the one before
};

namespace detail {
/// Applications of the operator to Counted elements since the last call.
TANDEM_API std::int64_t take_applications();
TANDEM_API void count_application();
}  // namespace detail

/// An integer that knows how many applications of + led to it.
struct Counted {
  std::int32_t value = 0;
  std::int32_t depth = 0;
  Counted() = default;
  explicit Counted(int value) : value(value) {}
  friend Counted operator+(Counted a, Counted b) {
    detail::count_application();
    Counted sum(a.value + b.value);
    sum.depth = (a.depth > b.depth ? a.depth : b.depth) + 1;
    return sum;
  }
};
/// For messages and refusals alone: it moves like an i64.
template <>
inline constexpr Type type_of<Counted> = Type::i64;

}  // namespace tandem
