#pragma once
// Operators of the user's own in reduce and scan and in their forms by segment, by key and along an axis: any associative function
// object op(a, b) of two accumulators, a lambda, a functor of the standard library or a struct. It need not commute, for operands
// keep their order.
//
// What it may have besides:
//   identity()              a member function, or a static member template identity<A>(), or a specialisation of identity_of.
//                           Without one an initial value serves, and kernels mark operands that are none.
//   lift(x) or lift(x, i)   the accumulator of an element, and of its place i; with_lift adds one to any operator. Without one
//                           elements are converted to the type of the initial value, where there is one.
//
//     struct Least {  // the least element and its place
//       struct Place { float value; std::int64_t i; };
//       Place lift(float x, std::int64_t i) const { return {x, i}; }
//       Place operator()(Place a, Place b) const { return b.value < a.value ? b : a; }
//     };
//     Least::Place least = tandem::reduce(ctx, x, Least{});
//     double sum = tandem::reduce(ctx, floats, std::plus<>{}, 0.0);
//
// A context of the host calls it from several threads at once. For one of a device the program includes
// <tandem/functors.cuh>, which says what nvcc asks of operators. They have one implementation on each place, so there are no
// options.

#include <concepts>
#include <cstdint>
#include <new>
#include <string>  // with std::plus and its kin; <functional> would double what a program reads
#include <type_traits>
#include <utility>

#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"
#include "tandem/parallel_for.h"

namespace tandem {

/// The identity of operator Op for accumulators A, as a static function value(); to be specialised for operators that cannot
/// have a member. Those of the standard library have theirs for arithmetic types.
template <class Op, class A>
struct identity_of {};
#define TANDEM_IDENTITY(functor, identity)                    \
  template <class T, class A>                                 \
  requires std::is_arithmetic_v<A>                            \
  struct identity_of<std::functor<T>, A> {                    \
    TANDEM_HD static constexpr A value() { return identity; } \
  };
TANDEM_IDENTITY(plus, A(0))
TANDEM_IDENTITY(multiplies, A(1))
TANDEM_IDENTITY(logical_and, A(1))
TANDEM_IDENTITY(logical_or, A(0))
TANDEM_IDENTITY(bit_and, A(~A(0)))
TANDEM_IDENTITY(bit_or, A(0))
TANDEM_IDENTITY(bit_xor, A(0))
#undef TANDEM_IDENTITY

/// A function object that is none of Tandem's operators.
template <class Op>
concept OwnOperator = !Enumerated<Op> && !std::same_as<Op, Options>;

namespace detail {

template <class Op, class A>
TANDEM_HD constexpr auto identity_or_nothing(const Op& op) {
  if constexpr (requires { op.template identity<A>(); })
    return op.template identity<A>();
  else if constexpr (requires { op.identity(); })
    return op.identity();
  else if constexpr (requires { identity_of<Op, A>::value(); })
    return identity_of<Op, A>::value();
}
template <class Op, class A>
constexpr bool has_identity =
    !std::is_void_v<decltype(identity_or_nothing<Op, A>(std::declval<const Op&>()))>;

/// The accumulator of element i.
template <class Op, class T>
TANDEM_HD constexpr auto lifted(const Op& op, const T& x, std::int64_t i) {
  if constexpr (requires { op.lift(x, i); })
    return op.lift(x, i);
  else if constexpr (requires { op.lift(x); })
    return op.lift(x);
  else
    return x;
}
template <class Op, class T>
constexpr bool lifts = requires(const Op& op, T x) {
  op.lift(x);
}
|| requires(const Op& op, T x, std::int64_t i) { op.lift(x, i); };

struct NotGiven {};
template <class Op, class T, class Init>
using own_accumulator =
    std::conditional_t<lifts<Op, T> || std::is_same_v<Init, NotGiven>,
                       decltype(lifted(std::declval<const Op&>(), std::declval<const T&>(), std::int64_t{})),
                       Init>;

template <class Op, class A, class T>
constexpr bool combines =
    std::is_constructible_v<A, decltype(lifted(std::declval<const Op&>(), std::declval<const T&>(),
                                               std::int64_t{}))>&& requires(const Op& op, A a, A b) {
  static_cast<A>(op(a, b));
};

}  // namespace detail

/// `op` with `map` for its lift: map(x) or map(x, i) is the accumulator of element x at place i.
template <class Op, class Map>
struct WithLift {
  Op op;
  Map map;

  template <class A>
  requires(detail::has_identity<Op, A>) TANDEM_HD constexpr A identity() const {
    return detail::identity_or_nothing<Op, A>(op);
  }
  template <class T>
  requires(std::is_invocable_v<const Map&, T, std::int64_t> || std::is_invocable_v<const Map&, T>) TANDEM_HD
      constexpr auto lift(const T& x, std::int64_t i) const {
    if constexpr (std::is_invocable_v<const Map&, T, std::int64_t>)
      return map(x, i);
    else
      return map(x);
  }
  template <class A>
  TANDEM_HD constexpr auto operator()(const A& a, const A& b) const {
    return op(a, b);
  }
};
template <class Op, class Map>
constexpr WithLift<Op, Map> with_lift(Op op, Map map) {
  return {op, map};
}

namespace detail {

#define TANDEM_WRONG_OPERATOR(operation)                                                               \
  operation                                                                                            \
      ": op(a, b) must take two accumulators and give one; lift(x), where op has it, makes one of an " \
      "element"

/// An array with what its checks need.
struct AnyArray {
  const void* data;
  std::int64_t size;
  std::size_t element_bytes, alignment;  // 0: the size of an element
  std::size_t bytes() const { return static_cast<std::size_t>(size) * element_bytes; }
};
template <class T>
AnyArray any_array(const View<T>& v) {
  return {v.data, v.size, sizeof(T), alignof(T)};
}

/// Where operators of a program run. functors.cuh has a better match, so that the same call in files that include it and in
/// those that do not is of two templates.
struct OnHost {
  static constexpr bool kHost = true, kKernels = false;
};
template <class Op>
struct PlacesFor {};
template <class Op>
OnHost own_places(PlacesFor<Op>, long);
template <class Op>
using places_of = decltype(own_places(PlacesFor<Op>{}, 0));

/// A call that this program has no kernels for.
inline void require_host(const Context& ctx, const char* operation) {
  if (ctx.place() == Place::host) return;
  throw Unavailable(
      std::string(operation) +
      ": the context computes on the device, but this program has an operator of its own for the host alone; "
      "include <tandem/functors.cuh> before anything that calls Tandem, and compile with nvcc");
}

/// A call of an own operator: by_kernel(Places{}) where the operator is for kernels alone or the context computes on a device,
/// on_host() elsewhere. by_kernel hands its argument, an auto, to the kernels' function, so that a program without kernels
/// does not compile the call.
template <class Places, class ByKernel, class OnHost>
auto on_place(const Context& ctx, const char* operation, const ByKernel& by_kernel, const OnHost& on_host) {
  if constexpr (!Places::kHost) {
    return by_kernel(Places{});
  } else {
    if constexpr (Places::kKernels) {
      if (ctx.place() != Place::host) return by_kernel(Places{});
    }
    require_host(ctx, operation);
    return on_host();
  }
}

/// Elements that a thread of the CPU takes at once: the same on every machine, as it decides the bits of a result.
constexpr std::int64_t kOwnChunk = 1 << 14;

/// Accumulators in a call's scratch, which is their own until the call ends.
template <class A>
A* own_scratch(Context& ctx, std::int64_t count) {
  static_assert(std::is_trivially_destructible_v<A>,
                "an accumulator of an operator of your own must be trivially destructible");
  return ctx.scratch<A>(count);
}

/// An operator and the array that it runs over, on the host.
template <class T, class Op, class A>
struct OwnElements {
  const T* x;
  std::int64_t n;
  const Op& op;

  std::int64_t chunks() const { return (n + kOwnChunk - 1) / kOwnChunk; }
  std::int64_t begin(std::int64_t chunk) const { return chunk * kOwnChunk; }
  std::int64_t end(std::int64_t chunk) const { return chunk + 1 == chunks() ? n : begin(chunk + 1); }
  A operand(std::int64_t i) const { return static_cast<A>(lifted(op, x[i], i)); }
  A apply(const A& a, const A& b) const { return static_cast<A>(op(a, b)); }
  /// A chunk's four parts of so many elements; fewer than four are left behind them.
  std::int64_t part(std::int64_t chunk) const { return (end(chunk) - begin(chunk)) / 4; }
  /// op over each part of a chunk of at least four. They advance side by side, since each operation waits for the one before in
  /// its part.
  struct Parts {
    A a, b, c, d;
  };
  Parts parts(std::int64_t chunk) const {
    const std::int64_t first = begin(chunk), length = part(chunk);
    Parts total{operand(first), operand(first + length), operand(first + 2 * length),
                operand(first + 3 * length)};
    for (std::int64_t k = first + 1; k < first + length; ++k) {
      total.a = apply(total.a, operand(k));
      total.b = apply(total.b, operand(k + length));
      total.c = apply(total.c, operand(k + 2 * length));
      total.d = apply(total.d, operand(k + 3 * length));
    }
    return total;
  }
  A joined(const Parts& total) const { return apply(apply(total.a, total.b), apply(total.c, total.d)); }
  /// op over a chunk.
  A reduced(std::int64_t chunk) const {
    std::int64_t i = begin(chunk) + 4 * part(chunk);
    A total = part(chunk) == 0 ? operand(i++) : joined(parts(chunk));
    for (; i < end(chunk); ++i) total = apply(total, operand(i));
    return total;
  }
};

}  // namespace detail

}  // namespace tandem
