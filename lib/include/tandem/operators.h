#pragma once
// Operators of reduce and scan, functions of transform, as C++ types and as values.

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "tandem/export.h"
#include "tandem/types.h"

namespace tandem {

/// Every operator and function by its name.
#define TANDEM_OPERATORS(ROW)                                                                  \
  ROW(plus)                                                                                    \
  ROW(multiplies)                                                                              \
  ROW(minimum) ROW(maximum) ROW(logical_and) ROW(logical_or) ROW(negate) ROW(square) ROW(axpy) \
      ROW(multiply_add) ROW(dot2)

#define TANDEM_ROW(name) name,
enum class OperatorId : std::uint8_t {
  TANDEM_OPERATORS(TANDEM_ROW) none  // for operations without one
};
#undef TANDEM_ROW

TANDEM_API std::string_view name(OperatorId op);
/// The operator that a name stands for; InvalidArgument lists the known names.
TANDEM_API OperatorId parse_operator(std::string_view text);

/// What an operation is compiled for: an element type and an operator.
struct CaseId {
  Type type;
  OperatorId op;
  friend bool operator==(const CaseId&, const CaseId&) = default;
  TANDEM_API std::string str() const;  // "f32 plus"; "f32" without an operator
};

/// One of Tandem's own operators or functions, not a user's.
template <class Op>
concept Enumerated = requires {
  { Op::id } -> std::convertible_to<OperatorId>;
};

// --- operators
//
// Each has an identity for every type it takes, and `lift`, which brings an element into the operator's
// range: 0 or 1 for the logical ones, unchanged for the others.

namespace detail {
// Constants, because device code cannot call the functions of numeric_limits.
template <class T, class Limits = std::numeric_limits<T>>
inline constexpr T kTop = Limits::has_infinity ? Limits::infinity() : Limits::max();
template <class T, class Limits = std::numeric_limits<T>>
inline constexpr T kBottom = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();

template <class T>
TANDEM_HD constexpr T wrap_plus(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  } else {
    return a + b;
  }
}
template <class T>
TANDEM_HD constexpr T wrap_multiplies(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
  } else {
    return a * b;
  }
}
struct Unlifted {
  template <class T>
  TANDEM_HD static constexpr T lift(T x) {
    return x;
  }
};
struct Logical {
  template <class T>
  TANDEM_HD static constexpr T lift(T x) {
    return x != T(0) ? T(1) : T(0);
  }
};
}  // namespace detail

/// Integer sums wrap like unsigned arithmetic.
struct Plus : detail::Unlifted {
  static constexpr OperatorId id = OperatorId::plus;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return T(0);
  }
  template <class T>
  TANDEM_HD constexpr T operator()(T a, T b) const {
    return detail::wrap_plus(a, b);
  }
};

/// Integer products wrap like unsigned arithmetic.
struct Multiplies : detail::Unlifted {
  static constexpr OperatorId id = OperatorId::multiplies;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return T(1);
  }
  template <class T>
  TANDEM_HD constexpr T operator()(T a, T b) const {
    return detail::wrap_multiplies(a, b);
  }
};

/// A NaN among the operands gives NaN; which zero is returned for −0 and +0 is unspecified.
struct Minimum : detail::Unlifted {
  static constexpr OperatorId id = OperatorId::minimum;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return detail::kTop<T>;
  }
  template <class T>
  TANDEM_HD constexpr T operator()(T a, T b) const {
    return (a < b || a != a) ? a : b;
  }
};

/// A NaN among the operands gives NaN; which zero is returned for −0 and +0 is unspecified.
struct Maximum : detail::Unlifted {
  static constexpr OperatorId id = OperatorId::maximum;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return detail::kBottom<T>;
  }
  template <class T>
  TANDEM_HD constexpr T operator()(T a, T b) const {
    return (a > b || a != a) ? a : b;
  }
};

/// Result is 0 or 1; any nonzero element, NaN included, is true.
struct LogicalAnd : detail::Logical {
  static constexpr OperatorId id = OperatorId::logical_and;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return T(1);
  }
  template <class T>
  TANDEM_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>((a != T(0)) & (b != T(0)));
  }
};

/// Result is 0 or 1; any nonzero element, NaN included, is true.
struct LogicalOr : detail::Logical {
  static constexpr OperatorId id = OperatorId::logical_or;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return T(0);
  }
  template <class T>
  TANDEM_HD constexpr T operator()(T a, T b) const {
    return static_cast<T>((a != T(0)) | (b != T(0)));
  }
};

inline constexpr Plus plus{};
inline constexpr Multiplies multiplies{};
inline constexpr Minimum minimum{};
inline constexpr Maximum maximum{};
inline constexpr LogicalAnd logical_and{};
inline constexpr LogicalOr logical_or{};

// --- functions
//
// The operator plus is one of them: vector addition. Integers wrap like unsigned arithmetic.

/// −x
struct Negate {
  static constexpr OperatorId id = OperatorId::negate;
  template <class T>
  TANDEM_HD constexpr T operator()(T x) const {
    if constexpr (std::is_integral_v<T>)
      return detail::wrap_multiplies(x, T(-1));
    else
      return -x;
  }
};

/// x²
struct Square {
  static constexpr OperatorId id = OperatorId::square;
  template <class T>
  TANDEM_HD constexpr T operator()(T x) const {
    return detail::wrap_multiplies(x, x);
  }
};

/// alpha·x + y; the scalar has the type of the elements.
template <class S>
struct Axpy {
  static constexpr OperatorId id = OperatorId::axpy;
  S alpha;
  template <class T>
  TANDEM_HD constexpr T operator()(T x, T y) const {
    return detail::wrap_plus(detail::wrap_multiplies(static_cast<T>(alpha), x), y);
  }
};

/// x·y + w
struct MultiplyAdd {
  static constexpr OperatorId id = OperatorId::multiply_add;
  template <class T>
  TANDEM_HD constexpr T operator()(T x, T y, T w) const {
    return detail::wrap_plus(detail::wrap_multiplies(x, y), w);
  }
};

/// x·y + w·v: the dot product of two pairs.
struct Dot2 {
  static constexpr OperatorId id = OperatorId::dot2;
  template <class T>
  TANDEM_HD constexpr T operator()(T x, T y, T w, T v) const {
    return detail::wrap_plus(detail::wrap_multiplies(x, y), detail::wrap_multiplies(w, v));
  }
};

inline constexpr Negate negate{};
inline constexpr Square square{};
template <class T>
constexpr Axpy<T> axpy(T alpha) {
  return {alpha};
}
inline constexpr MultiplyAdd multiply_add{};
inline constexpr Dot2 dot2{};

}  // namespace tandem
