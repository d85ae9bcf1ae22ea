#pragma once
// Element types, operators and functions as values (for tables, files and messages) and as C++ types (for kernels).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "tandem/export.h"
#include "tandem/half.h"

namespace tandem {

/// Element of the bicyclic monoid: associative, not commutative. It exists to test that a scan keeps its
/// order.
struct Bicyclic {
  std::uint32_t close, open;  // ")" and "(" left after cancelling every "()" of a string of brackets
  friend bool operator==(const Bicyclic&, const Bicyclic&) = default;
};

enum class Type : std::uint8_t { f16, f32, f64, i8, i32, i64, u32, bicyclic };
/// Operators, and after them the functions of transform: what a case applies to its elements.
enum class OperatorId : std::uint8_t {
  plus,
  multiplies,
  minimum,
  maximum,
  logical_and,
  logical_or,
  negate,
  square,
  axpy,
  multiply_add,
  dot2,
  concatenate,
  none,  // of an operation that takes no operator
};

// clang-format off
template <class T> inline constexpr Type type_of = [] { static_assert(sizeof(T) == 0, "no element type of Tandem"); return Type::f32; }();
template <> inline constexpr Type type_of<float> = Type::f32;
template <> inline constexpr Type type_of<half> = Type::f16;
template <> inline constexpr Type type_of<double> = Type::f64;
template <> inline constexpr Type type_of<std::int8_t> = Type::i8;
template <> inline constexpr Type type_of<std::int32_t> = Type::i32;
template <> inline constexpr Type type_of<std::int64_t> = Type::i64;
template <> inline constexpr Type type_of<std::uint32_t> = Type::u32;
template <> inline constexpr Type type_of<Bicyclic> = Type::bicyclic;
// clang-format on

TANDEM_API std::string_view name(Type type);
TANDEM_API std::string_view name(OperatorId op);
TANDEM_API std::size_t size_of(Type type);
/// The value a name stands for; InvalidArgument lists the known names.
TANDEM_API Type parse_type(std::string_view text);
TANDEM_API OperatorId parse_operator(std::string_view text);

// --- operators
//
// Each has an identity for every type it takes, and `lift`, which brings an element into the operator's range: 0
// or 1 for the logical ones, unchanged for the others.

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
    return ((a != T(0)) & (b != T(0))) ? T(1) : T(0);
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
    return ((a != T(0)) | (b != T(0))) ? T(1) : T(0);
  }
};

/// Joins two strings of brackets: the product of the bicyclic monoid. Internal, for the order tests.
struct Concatenate : detail::Unlifted {
  static constexpr OperatorId id = OperatorId::concatenate;
  template <class T>
  TANDEM_HD static constexpr T identity() {
    return T{0, 0};
  }
  TANDEM_HD constexpr Bicyclic operator()(Bicyclic a, Bicyclic b) const {
    const std::uint32_t cancelled = a.open < b.close ? a.open : b.close;
    return {a.close + b.close - cancelled, a.open + b.open - cancelled};
  }
};

inline constexpr Plus plus{};
inline constexpr Multiplies multiplies{};
inline constexpr Minimum minimum{};
inline constexpr Maximum maximum{};
inline constexpr LogicalAnd logical_and{};
inline constexpr LogicalOr logical_or{};

/// One case of a contract: what an implementation is instantiated for.
struct CaseId {
  Type type;
  OperatorId op;
  friend bool operator==(const CaseId&, const CaseId&) = default;
  TANDEM_API std::string str() const;  // "f32 plus"; "f32" without an operator
};

/// A list of cases as a type, to be walked at compile time.
template <class... C>
struct CaseList {
  template <class F>
  static constexpr void for_each(F&& f) {
    (f.template operator()<C>(), ...);
  }
};

namespace detail {
template <class... Lists>
struct Join;
template <class... C>
struct Join<CaseList<C...>> {
  using type = CaseList<C...>;
};
template <class... A, class... B, class... Rest>
struct Join<CaseList<A...>, CaseList<B...>, Rest...> : Join<CaseList<A..., B...>, Rest...> {};
}  // namespace detail
template <class... Lists>
using Joined = typename detail::Join<Lists...>::type;

/// Position of a case in a contract's list.
template <class Contract, class C>
constexpr int case_index() {
  int index = 0, found = -1;
  Contract::Cases::for_each([&]<class D>() {
    if constexpr (std::is_same_v<C, D>) found = index;
    ++index;
  });
  return found;
}

}  // namespace tandem
