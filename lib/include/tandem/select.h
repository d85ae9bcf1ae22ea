#pragma once
// select (stream compaction): the elements that satisfy a predicate, in their order, and how many they are; the same by
// flags; partition, which puts the others behind them; unique, which keeps the first of each run of equal elements.

#include <cstdint>
#include <limits>

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/types.h"

namespace tandem {

/// The elements from low to high, or all others: what every comparison with a value comes down to. A NaN lies in no
/// range.
template <class T>
struct Range {
  T low, high;
  bool others = false;
  TANDEM_HD bool operator()(T x) const { return (low <= x && x <= high) != others; }

  /// Everything up to `high`, or from `low` on, infinities included; nothing at all.
  static Range up_to(T high) { return {lowest(), high}; }
  static Range from(T low) { return {low, highest()}; }
  static Range nothing() { return {T(1), T(0)}; }
  /// Everything below, or above, `x`.
  static Range below(T x) {
    if (!(lowest() < x)) return nothing();
    return up_to(next(x, lowest()));
  }
  static Range above(T x) {
    if (!(x < highest())) return nothing();
    return from(next(x, highest()));
  }

 private:
  using Limits = std::numeric_limits<T>;
  static constexpr T lowest() { return Limits::has_infinity ? -Limits::infinity() : Limits::lowest(); }
  /// The value beside x on the way to `end`. (<cmath> is long.)
  static T next(T x, T end) {
    if constexpr (std::is_same_v<T, float>)
      return __builtin_nextafterf(x, end);
    else if constexpr (std::is_same_v<T, double>)
      return __builtin_nextafter(x, end);
    else
      return static_cast<T>(x < end ? x + 1 : x - 1);
  }
  static constexpr T highest() { return Limits::has_infinity ? Limits::infinity() : Limits::max(); }
};

// Predicates: how an element compares with a value, as C++'s operators say it. So a NaN, as element or as value,
// satisfies not_equal alone; −0 equals +0.

template <class V>
struct less {  // x < value
  V value;
  template <class T>
  Range<T> range() const {
    return Range<T>::below(value);
  }
};
template <class V>
struct less_equal {  // x <= value
  V value;
  template <class T>
  Range<T> range() const {
    return Range<T>::up_to(value);
  }
};
template <class V>
struct greater {  // x > value
  V value;
  template <class T>
  Range<T> range() const {
    return Range<T>::above(value);
  }
};
template <class V>
struct greater_equal {  // x >= value
  V value;
  template <class T>
  Range<T> range() const {
    return Range<T>::from(value);
  }
};
template <class V>
struct equal {  // x == value
  V value;
  template <class T>
  Range<T> range() const {
    return {value, value};
  }
};
template <class V>
struct not_equal {  // x != value
  V value;
  template <class T>
  Range<T> range() const {
    return {value, value, true};
  }
};
template <class V>
less(V) -> less<V>;
template <class V>
less_equal(V) -> less_equal<V>;
template <class V>
greater(V) -> greater<V>;
template <class V>
greater_equal(V) -> greater_equal<V>;
template <class V>
equal(V) -> equal<V>;
template <class V>
not_equal(V) -> not_equal<V>;

/// A comparison with a value of the type of the elements.
template <class P, class T>
concept PredicateOf = requires(const P& predicate) {
  { predicate.template range<T>() } -> std::same_as<Range<T>>;
  requires std::is_same_v<decltype(predicate.value), T>;
};

namespace detail {
/// Element types that select is compiled for.
template <class T>
constexpr bool selects() {
  return std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
         std::is_same_v<T, std::int64_t>;
}

/// What is kept: elements in a range, those with a flag, the first of each run of equal ones; or those in a range first
/// and the others behind them.
enum class Selection : std::uint8_t { predicate, flags, unique, partition };
/// range: a Range<T> in host memory, or null; flags: null unless they say what is kept; count: one int64 in the memory
/// of the context.
TANDEM_API void select_into(Context& ctx, Type type, Selection what, ConstMemory in, const void* range,
                            ConstMemory flags, Memory out, Memory count, const Options& options);
/// Waits for the count and returns it.
TANDEM_API std::int64_t select(Context& ctx, Type type, Selection what, ConstMemory in, const void* range,
                               ConstMemory flags, Memory out, const Options& options);

template <class In, class Out, class... Count>
auto select_by(Context& ctx, Selection what, const In& in, const Range<element_of<const In>>* range,
               ConstMemory flags, Out&& out, const Options& options, Count&&... count) {
  using T = element_of<const In>;
  static_assert(selects<T>(), "select takes float, double, int32 and int64");
  static_assert(std::is_same_v<element_of<Out>, T>, "select: out must hold the type of in");
  static_assert((std::is_same_v<element_of<Count>, std::int64_t> && ...), "select: count must hold int64");
  if constexpr (sizeof...(count) == 1)
    select_into(ctx, type_of<T>, what, const_memory(in), range, flags, memory(out), memory(count)...,
                options);
  else
    return select(ctx, type_of<T>, what, const_memory(in), range, flags, memory(out), options);
}
template <class Flags>
ConstMemory flag_memory(const Flags& flags) {
  static_assert(std::is_same_v<element_of<const Flags>, std::uint8_t>, "select: flags must be uint8");
  return const_memory(flags);
}
}  // namespace detail

/// out[0 … count[0]) = the elements of `in` that satisfy `predicate`, in their order, in the memory of the context,
/// without waiting for it.
///
/// predicate: tandem::less{v}, less_equal, greater, greater_equal, equal or not_equal, with a value of the type of the
/// elements; in: n elements, float, double, int32 or int64. A NaN satisfies not_equal alone, and nothing else does where
/// the value is NaN. out: room for n elements, of which those from count[0] on are not touched; count: at least one
/// int64. Elements keep their bits. out may be in itself, on paths that take that; any other overlap is refused. O(n)
/// work; allocates nothing after the first call of a size. Throws InvalidArgument (out too short, null pointers, host
/// memory in a device context, overlap, unknown options.use), Unavailable (options.use cannot run here), OutOfMemory,
/// DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications"; Merrill, Garland 2016, "Single-pass parallel prefix
///          scan with decoupled look-back".
template <Viewable In, PredicateOf<element_of<const In>> Predicate, Viewable Out, Viewable Count>
void select_into(Context& ctx, const In& in, const Predicate& predicate, Out&& out, Count&& count,
                 const Options& options = {}) {
  const auto range = predicate.template range<element_of<const In>>();
  detail::select_by(ctx, detail::Selection::predicate, in, &range, {}, out, options, count);
}
/// As select_into, but waits for the count and returns it.
template <Viewable In, PredicateOf<element_of<const In>> Predicate, Viewable Out>
std::int64_t select(Context& ctx, const In& in, const Predicate& predicate, Out&& out,
                    const Options& options = {}) {
  const auto range = predicate.template range<element_of<const In>>();
  return detail::select_by(ctx, detail::Selection::predicate, in, &range, {}, out, options);
}

/// As select_into, of the elements whose flag (uint8, n of them) is not 0. Flags must not overlap out.
template <Viewable In, Viewable Flags, Viewable Out, Viewable Count>
void select_flagged_into(Context& ctx, const In& in, const Flags& flags, Out&& out, Count&& count,
                         const Options& options = {}) {
  detail::select_by(ctx, detail::Selection::flags, in, nullptr, detail::flag_memory(flags), out, options,
                    count);
}
template <Viewable In, Viewable Flags, Viewable Out>
std::int64_t select_flagged(Context& ctx, const In& in, const Flags& flags, Out&& out,
                            const Options& options = {}) {
  return detail::select_by(ctx, detail::Selection::flags, in, nullptr, detail::flag_memory(flags), out,
                           options);
}

/// As select_into, with the elements that do not satisfy the predicate behind those that do, in their order (a stable
/// partition): all n elements of out are written.
template <Viewable In, PredicateOf<element_of<const In>> Predicate, Viewable Out, Viewable Count>
void partition_into(Context& ctx, const In& in, const Predicate& predicate, Out&& out, Count&& count,
                    const Options& options = {}) {
  const auto range = predicate.template range<element_of<const In>>();
  detail::select_by(ctx, detail::Selection::partition, in, &range, {}, out, options, count);
}
template <Viewable In, PredicateOf<element_of<const In>> Predicate, Viewable Out>
std::int64_t partition(Context& ctx, const In& in, const Predicate& predicate, Out&& out,
                       const Options& options = {}) {
  const auto range = predicate.template range<element_of<const In>>();
  return detail::select_by(ctx, detail::Selection::partition, in, &range, {}, out, options);
}

/// As select_into, of the first of each run of equal elements. A NaN equals nothing, so each is kept; of −0 and +0 side
/// by side the first is.
template <Viewable In, Viewable Out, Viewable Count>
void unique_into(Context& ctx, const In& in, Out&& out, Count&& count, const Options& options = {}) {
  detail::select_by(ctx, detail::Selection::unique, in, nullptr, {}, out, options, count);
}
template <Viewable In, Viewable Out>
std::int64_t unique(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  return detail::select_by(ctx, detail::Selection::unique, in, nullptr, {}, out, options);
}

}  // namespace tandem
