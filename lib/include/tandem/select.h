#pragma once
// select (stream compaction): the elements that satisfy a predicate, in their order, and how many they are; the same by
// flags; partition, which puts the others behind them; unique, which keeps the first of each run of equal elements.

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

#include "tandem/array.h"
#include "tandem/options.h"
#include "tandem/own_operators.h"
#include "tandem/types.h"

namespace tandem {

namespace detail {
/// A number of 16 bits as an integer in its order, both zeros as 0 and NaNs beyond the infinities: the CPU compares these, for
/// making a float of each takes longer.
template <class T>
TANDEM_HD constexpr int in_order(T x) {
  const int magnitude = x.bits & 0x7fff;
  return x.bits & 0x8000 ? -magnitude : magnitude;
}
/// What == says.
template <class T>
TANDEM_HD constexpr bool equals(T x, T y) {
#ifndef __CUDA_ARCH__
  if constexpr (is_narrow_float<T>) {
    const int infinity = in_order(std::numeric_limits<T>::infinity()), own = in_order(x);
    return own == in_order(y) && -infinity <= own && own <= infinity;
  }
#endif
  return x == y;
}
}  // namespace detail

/// The elements from low to high, or all others: what every comparison with a value comes down to. A NaN lies in no
/// range.
template <class T>
struct Range {
  T low, high;
  bool others = false;
  TANDEM_HD bool operator()(T x) const { return holds(x) != others; }

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
  TANDEM_HD bool holds(T x) const {
#ifndef __CUDA_ARCH__
    if constexpr (is_narrow_float<T>) {
      const int first = detail::in_order(low), last = detail::in_order(high), own = detail::in_order(x);
      const int infinity = detail::in_order(Limits::infinity());
      const bool numbers = -infinity <= first && last <= infinity;
      return numbers & (first <= own) & (own <= last);
    }
#endif
    return (low <= x) & (x <= high);
  }
  static constexpr T lowest() { return Limits::has_infinity ? T(-Limits::infinity()) : Limits::lowest(); }
  /// The value beside x, which `end` is not, on the way there. (<cmath> is long.)
  static T next(T x, T end) {
    const bool up = x < end;
    if constexpr (std::is_same_v<T, float>) {
      return __builtin_nextafterf(x, end);
    } else if constexpr (std::is_same_v<T, double>) {
      return __builtin_nextafter(x, end);
    } else if constexpr (is_narrow_float<T>) {
      // As an integer the bits behind the sign grow with the magnitude.
      const bool zero = x == T(0), away = zero || up == (x > T(0));
      if (zero) x.bits = up ? 0 : 0x8000;
      x.bits = static_cast<std::uint16_t>(away ? x.bits + 1 : x.bits - 1);
      return x;
    } else {
      return static_cast<T>(up ? x + 1 : x - 1);
    }
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
/// Element types that select is compiled for: all.
template <class T>
constexpr bool selects() {
#define TANDEM_ROW(name, Element, ...) || std::is_same_v<T, Element>
  return false TANDEM_ELEMENT_TYPES(TANDEM_ROW);
#undef TANDEM_ROW
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
  static_assert(selects<T>(), "select takes the element types of tandem/types.h");
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
/// elements; in: n elements of any type of tandem/types.h, of which half and bfloat16 are compared as the same floats. A NaN
/// satisfies not_equal alone, and nothing else does where the value is NaN. out: room for n elements, of which those from
/// count[0] on are not touched; count: at least one int64. Elements keep their bits. out may be in itself, on paths that
/// take that; any other overlap is refused. O(n) work; allocates nothing after the first call of a size. Throws
/// InvalidArgument (out too short, null pointers, host memory in a device context, overlap, unknown options.use),
/// Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
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

// --- predicates of the user's own

/// A function object that is none of the comparisons above.
template <class P, class T>
concept OwnPredicate = !PredicateOf<P, T> && !std::same_as<P, Options>;

namespace detail {
/// count: null where the number is returned.
TANDEM_API void check_own_select(Context& ctx, const AnyArray& in, const AnyArray& out,
                                 const AnyArray* count);

/// Whether element i, which is x, is kept.
template <Selection kWhat, class P, class T>
TANDEM_HD bool own_keeps(const P& op, const T* in, std::int64_t i, const T& x) {
  if constexpr (kWhat == Selection::unique)
    return i == 0 || !op(in[i - 1], x);
  else
    return op(x);
}

/// As select/custom/threads: a chunk is asked, then all know their places, then it is written. A bit for each element is kept.
template <Selection kWhat, class T, class P>
std::int64_t own_select_on_host(Context& ctx, const View<const T>& in, const P& op, T* out) {
  constexpr std::int64_t kBits = 64;
  const CallScope call(ctx, "select/custom/threads", Place::host);
  const std::int64_t n = in.size, chunks = (n + kOwnChunk - 1) / kOwnChunk;
  auto* bits = ctx.scratch<std::uint64_t>((n + kBits - 1) / kBits);
  auto* before = ctx.scratch<std::int64_t>(chunks);  // first how many a chunk keeps
  const auto each_word = [&](std::int64_t c, auto use) {
    const std::int64_t end = c + 1 == chunks ? n : (c + 1) * kOwnChunk;
    for (std::int64_t i = c * kOwnChunk; i < end; i += kBits)
      use(bits[i / kBits], i, end - i < kBits ? end - i : kBits);
  };
  parallel_for(chunks, {}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t c = begin; c < end; ++c) {
      before[c] = 0;
      each_word(c, [&](std::uint64_t& word, std::int64_t i, std::int64_t count) {
        word = 0;
        for (std::int64_t k = 0; k < count; ++k)
          word |= std::uint64_t{own_keeps<kWhat>(op, in.data, i + k, in.data[i + k])} << k;
        before[c] += std::popcount(word);
      });
    }
  });
  std::int64_t kept = 0;
  for (std::int64_t c = 0; c < chunks; ++c) kept += std::exchange(before[c], kept);
  parallel_for(chunks, {}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t c = begin; c < end; ++c) {
      std::int64_t to = before[c], others = kept + c * kOwnChunk - to;
      each_word(c, [&](std::uint64_t word, std::int64_t i, std::int64_t count) {
        if constexpr (kWhat == Selection::partition) {
          for (std::int64_t k = 0; k < count; ++k) {  // without a branch that none can guess
            const std::int64_t keeps = word >> k & 1;
            out[keeps ? to : others] = in.data[i + k];
            to += keeps;
            others += 1 - keeps;
          }
        } else {
          for (; word; word &= word - 1) out[to++] = in.data[i + std::countr_zero(word)];
        }
      });
    }
  });
  return kept;
}

/// count: null, or where the number goes.
template <Selection kWhat, class Places, class T, class P>
std::int64_t own_select(Context& ctx, const View<const T>& in, const P& op, const View<T>& out,
                        const View<std::int64_t>* count) {
  const Lending lending(ctx);
  return translated([&]() -> std::int64_t {
    const AnyArray number = count ? any_array(*count) : AnyArray{};
    check_own_select(ctx, any_array(in), any_array(out), count ? &number : nullptr);
    return on_place<Places>(
        ctx, "select",
        [&](auto where) -> std::int64_t {
          return own_select_by_kernel<kWhat>(where, ctx, in, op, out, count ? count->data : nullptr);
        },
        [&] {
          const std::int64_t kept = own_select_on_host<kWhat>(ctx, in, op, out.data);
          if (count) *count->data = kept;
          return kept;
        });
  });
}

template <Selection kWhat, class In, class P, class Out, class... Count>
std::int64_t checked_own_select(Context& ctx, const In& in, const P& op, Out&& out, Count&&... count) {
  using T = element_of<const In>;
  constexpr bool kUnique = kWhat == Selection::unique;
  constexpr bool kAsks = kUnique ? std::is_invocable_r_v<bool, const P&, const T&, const T&>
                                 : std::is_invocable_r_v<bool, const P&, const T&>;
  constexpr bool kSame = std::is_same_v<element_of<Out>, T>;
  static_assert(
      kAsks || kUnique,
      "select: the predicate must take an element and say whether it is kept; tandem::less and its kin hold "
      "a value of the type of the elements");
  static_assert(kAsks || !kUnique,
                "unique: same(a, b) must take two elements and say whether they are equal");
  static_assert(kSame, "select: out must hold the type of in");
  static_assert((std::is_same_v<element_of<Count>, std::int64_t> && ...), "select: count must hold int64");
  if constexpr (kAsks && kSame) {
    const View<const T> from{view(in).data, view(in).size};
    const View<T> to{view(out).data, view(out).size};
    if constexpr (sizeof...(count) == 1) {
      const View<std::int64_t> number{view(count...).data, view(count...).size};
      return own_select<kWhat, places_of<P>>(ctx, from, op, to, &number);
    } else {
      return own_select<kWhat, places_of<P>>(ctx, from, op, to, nullptr);
    }
  }
}
}  // namespace detail

/// As select_into, select, partition_into and partition, for a predicate of your own: any function object that takes an
/// element and gives a bool, the same at every call.
///
/// in: n elements of any type, which on a device are copied as they are; out: of the same type, and apart from in. A context of
/// the host asks several threads at once, once for each element; a device asks once, for a partition twice. What a predicate throws
/// passes through; out is then unspecified. Without options, because there is one implementation on each place; O(n) work.
/// Throws InvalidArgument (out too short, null pointers, host memory in a device context, overlap), Unavailable (a context of
/// a device without <tandem/functors.cuh>), OutOfMemory, DeviceError.
template <Viewable In, OwnPredicate<element_of<const In>> Predicate, Viewable Out, Viewable Count>
void select_into(Context& ctx, const In& in, Predicate predicate, Out&& out, Count&& count) {
  detail::checked_own_select<detail::Selection::predicate>(ctx, in, predicate, out, count);
}
template <Viewable In, OwnPredicate<element_of<const In>> Predicate, Viewable Out>
std::int64_t select(Context& ctx, const In& in, Predicate predicate, Out&& out) {
  return detail::checked_own_select<detail::Selection::predicate>(ctx, in, predicate, out);
}
template <Viewable In, OwnPredicate<element_of<const In>> Predicate, Viewable Out, Viewable Count>
void partition_into(Context& ctx, const In& in, Predicate predicate, Out&& out, Count&& count) {
  detail::checked_own_select<detail::Selection::partition>(ctx, in, predicate, out, count);
}
template <Viewable In, OwnPredicate<element_of<const In>> Predicate, Viewable Out>
std::int64_t partition(Context& ctx, const In& in, Predicate predicate, Out&& out) {
  return detail::checked_own_select<detail::Selection::partition>(ctx, in, predicate, out);
}
/// As unique_into and unique, for an equality of your own: same(x[i−1], x[i]) says that element i is not kept.
template <Viewable In, Viewable Out, Viewable Count, OwnPredicate<element_of<const In>> Same>
void unique_into(Context& ctx, const In& in, Out&& out, Count&& count, Same same) {
  detail::checked_own_select<detail::Selection::unique>(ctx, in, same, out, count);
}
template <Viewable In, Viewable Out, OwnPredicate<element_of<const In>> Same>
requires(!Viewable<Same>) std::int64_t unique(Context& ctx, const In& in, Out&& out, Same same) {
  return detail::checked_own_select<detail::Selection::unique>(ctx, in, same, out);
}

}  // namespace tandem
