#pragma once
// segmented_scan: prefix sums that begin anew with each segment, which lies where offsets say, has the length of all
// others, or is a run of equal keys.
//
// The operator need not commute: every implementation keeps the order of its operands. Where it places the parentheses is
// its own choice, so floating-point results differ by rounding (docs/promises.md).

#include <cstdint>
#include <optional>
#include <type_traits>

#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"
#include "tandem/own_operators.h"
#include "tandem/scan.h"
#include "tandem/segmented_reduce.h"

namespace tandem {

namespace detail {
/// Element types and operators that segmented_scan is compiled for.
template <class T, class Op>
constexpr bool scans_segments() {
  return scans<T, Op>() &&
         (Op::id == OperatorId::plus || Op::id == OperatorId::minimum || Op::id == OperatorId::maximum);
}
/// Element types of keys whose runs are segments.
template <class T>
inline constexpr bool makes_runs =
    std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint64_t> ||
    std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>;

/// init: one operand in host memory, for exclusive scans alone, or null for the operator's identity.
TANDEM_API void segmented_scan(Context& ctx, CaseId id, ConstMemory in, const Segments& segments, Memory out,
                               bool exclusive, const void* init, const Options& options);
TANDEM_API void scan_by_key(Context& ctx, CaseId id, Type key_type, ConstMemory keys, ConstMemory in,
                            Memory out, bool exclusive, const void* init, const Options& options);

template <class In, class Out, class Op>
void segmented_scan(Context& ctx, const In& in, const Segments& segments, Out&& out, Op, bool exclusive,
                    const element_of<const In>* init, const Options& options) {
  using T = element_of<const In>;
  static_assert(scans_segments<T, Op>(),
                "segmented_scan has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "segmented_scan: out must hold the type of in");
  segmented_scan(ctx, CaseId{type_of<T>, Op::id}, const_memory(in), segments, memory(out), exclusive, init,
                 options);
}
template <class Keys, class In, class Out, class Op>
void scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out, Op, bool exclusive,
                 const element_of<const In>* init, const Options& options) {
  using T = element_of<const In>;
  using Key = element_of<const Keys>;
  static_assert(
      makes_runs<Key>,
      "scan_by_key: with an operator of Tandem's, keys are float, double or integers of 32 or 64 bits; "
      "with one of your own (own_operators.h) of any type that has ==");
  static_assert(scans_segments<T, Op>(), "scan_by_key has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "scan_by_key: out must hold the type of in");
  scan_by_key(ctx, CaseId{type_of<T>, Op::id}, type_of<Key>, const_memory(keys), const_memory(in),
              memory(out), exclusive, init, options);
}
}  // namespace detail

/// out[i] = op over the elements of in from the first of i's segment to in[i], in the memory of the context, without
/// waiting for it.
///
/// op: plus (unless given), minimum, maximum. in: n elements of any element type; out: as many of the same type: half and bfloat16
/// are accumulated in float, and each result is rounded once. out may be in itself; any other overlap is refused, and one with the
/// offsets, too. Elements outside all segments are not read, and those of out not written. Integer results wrap; from a NaN on all
/// results of its segment are NaN. O(n + segments) work; allocates nothing after the first call of a size. Throws InvalidArgument (a segment past the end of in,
/// sizes differ, null pointers, segments or host memory of another place, overlap, unknown options.use), Unavailable
/// (options.use cannot run here or does not take such segments), OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications" (segmented scans); Merrill, Garland 2016, "Single-pass
///          parallel prefix scan with decoupled look-back".
template <Viewable In, Viewable Out, Enumerated Op>
void segmented_inclusive_scan(Context& ctx, const In& in, const Segments& segments, Out&& out, Op op,
                              const Options& options = {}) {
  detail::segmented_scan(ctx, in, segments, out, op, false, nullptr, options);
}
template <Viewable In, Viewable Out>
void segmented_inclusive_scan(Context& ctx, const In& in, const Segments& segments, Out&& out,
                              const Options& options = {}) {
  detail::segmented_scan(ctx, in, segments, out, plus, false, nullptr, options);
}

/// out[i] = init ∘ op over the elements of i's segment before in[i]: init, the operator's identity unless given, at the first
/// of them. Otherwise as segmented_inclusive_scan.
template <Viewable In, Viewable Out, Enumerated Op>
void segmented_exclusive_scan(Context& ctx, const In& in, const Segments& segments, Out&& out, Op op,
                              const Options& options = {}) {
  detail::segmented_scan(ctx, in, segments, out, op, true, nullptr, options);
}
template <Viewable In, Viewable Out>
void segmented_exclusive_scan(Context& ctx, const In& in, const Segments& segments, Out&& out,
                              const Options& options = {}) {
  detail::segmented_scan(ctx, in, segments, out, plus, true, nullptr, options);
}
template <Viewable In, Viewable Out, Enumerated Op>
void segmented_exclusive_scan(Context& ctx, const In& in, const Segments& segments, Out&& out, Op op,
                              element_of<const In> init, const Options& options = {}) {
  detail::segmented_scan(ctx, in, segments, out, op, true, &init, options);
}

/// As segmented_inclusive_scan, where segments are runs of equal keys: keys are compared with their neighbours alone, and
/// need not be sorted.
///
/// keys: n elements, uint32, int32, uint64, int64, float or double, which must not overlap out. A NaN equals nothing, so
/// each is a segment of its own; −0 equals +0.
template <Viewable Keys, Viewable In, Viewable Out, Enumerated Op>
void inclusive_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out, Op op,
                           const Options& options = {}) {
  detail::scan_by_key(ctx, keys, in, out, op, false, nullptr, options);
}
template <Viewable Keys, Viewable In, Viewable Out>
void inclusive_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out,
                           const Options& options = {}) {
  detail::scan_by_key(ctx, keys, in, out, plus, false, nullptr, options);
}

/// As segmented_exclusive_scan, where segments are runs of equal keys as above.
template <Viewable Keys, Viewable In, Viewable Out, Enumerated Op>
void exclusive_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out, Op op,
                           const Options& options = {}) {
  detail::scan_by_key(ctx, keys, in, out, op, true, nullptr, options);
}
template <Viewable Keys, Viewable In, Viewable Out>
void exclusive_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out,
                           const Options& options = {}) {
  detail::scan_by_key(ctx, keys, in, out, plus, true, nullptr, options);
}
template <Viewable Keys, Viewable In, Viewable Out, Enumerated Op>
void exclusive_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out, Op op,
                           element_of<const In> init, const Options& options = {}) {
  detail::scan_by_key(ctx, keys, in, out, op, true, &init, options);
}

// --- operators of the user's own

namespace detail {
TANDEM_API void check_segmented_scan(Context& ctx, const AnyArray& in, const Segments& segments,
                                     const AnyArray& out, bool may_be_in_place);
TANDEM_API void check_scan_by_key(Context& ctx, const AnyArray& keys, const AnyArray& in, const AnyArray& out,
                                  bool may_be_in_place);

/// As segmented_scan/custom/threads: threads share short segments, then the chunks of each long one, with the same roundings.
/// init: null where a segment begins with its first element.
template <class A, class T, class Out, class Op>
void own_scan_segments_on_host(Context& ctx, const T* in, const SegmentPlaces& places, Out* out, const Op& op,
                               bool exclusive, const A* init) {
  for_own_segments(
      places,
      [&](std::int64_t, std::int64_t first, std::int64_t size) {
        const OwnElements<T, Op, A> x{in + first, size, op};
        with_own_writer<A>(out + first, exclusive, [&](const auto& write) {
          std::optional<A> before;
          if (init) before.emplace(*init);
          for (std::int64_t c = 0; c < x.chunks(); ++c) {
            std::optional<A> through;
            if (c + 1 < x.chunks()) {  // before it is written, perhaps to where it lies
              const A total = x.reduced(c);
              through.emplace(before ? x.apply(*before, total) : total);
            }
            own_scan_chunk(x, c, before ? &*before : nullptr, write);
            if (through) before.emplace(*through);
          }
        });
      },
      [&](std::int64_t, std::int64_t first, std::int64_t size) {
        with_own_writer<A>(out + first, exclusive, [&](const auto& write) {
          own_scan_chunks(ctx, OwnElements<T, Op, A>{in + first, size, op}, init, write);
        });
      });
}

/// A number of runs in words of 32 bits: beside an accumulator of 4 bytes it takes no padding.
struct RunCount {
  std::uint32_t low, high;
  RunCount() = default;
  TANDEM_HD RunCount(std::int64_t count)
      : low(static_cast<std::uint32_t>(count)), high(static_cast<std::uint32_t>(count >> 32)) {}
  TANDEM_HD operator std::int64_t() const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(high) << 32 | low);
  }
};
/// Instead of a number: whether any run begins.
using RunMark = std::uint32_t;

/// The accumulator of a part of an array that is cut into runs. Count: RunCount or RunMark, of those that begin in it.
template <class A, class Count>
struct LastRun {
  A last;  // op over its last run
  Count runs;
};

/// An operator on parts: what lies before the beginning of a run is forgotten (Schwartz 1980).
template <class Op, class A, class Count>
struct OnLastRuns {
  using Accumulator = LastRun<A, Count>;
  Op op;
  TANDEM_HD Accumulator operator()(const Accumulator& a, const Accumulator& b) const {
    const A last = b.runs > 0 ? b.last : static_cast<A>(op(a.last, b.last));
    if constexpr (std::is_same_v<Count, RunMark>)
      return {last, a.runs | b.runs};
    else
      return {last, a.runs + b.runs};
  }
  TANDEM_HD Accumulator identity() const requires has_identity<Op, A> {
    return {static_cast<A>(identity_or_nothing<Op, A>(op)), 0};
  }
  /// Whether x is the same whatever lies before it.
  TANDEM_HD bool forgets_before(const Accumulator& x) const requires std::is_same_v<Count, RunMark> {
    return x.runs > 0;
  }
};

/// An operator within runs of equal keys.
template <class Op, class A, class Key, class Count>
struct WithinRuns : OnLastRuns<Op, A, Count> {
  const Key* keys;

  TANDEM_HD bool begins(std::int64_t i) const { return i == 0 || !(keys[i - 1] == keys[i]); }
  template <class T>
  TANDEM_HD LastRun<A, Count> lift(const T& x, std::int64_t i) const {
    return {static_cast<A>(lifted(this->op, x, i)), static_cast<Count>(begins(i))};
  }
};

/// What results within runs begin with: an accumulator, or nothing in inclusive scans without an initial value.
template <bool kExclusive, class A, class Init>
using OwnFirst = std::conditional_t<kExclusive || !std::is_same_v<Init, NotGiven>, A, NotGiven>;
template <class First, class A>
First own_first(const A* init) {
  if constexpr (std::is_same_v<First, NotGiven>)
    return {};
  else
    return *init;
}
template <class First, class Op, class A>
TANDEM_HD A behind_own_first(const First& first, const Op& op, const A& a) {
  if constexpr (std::is_same_v<First, NotGiven>)
    return a;
  else
    return static_cast<A>(op(first, a));
}

/// Where a scan within runs puts its results: element i, from op over everything up to element i or, where it is exclusive, before.
template <bool kIsExclusive, class Within, class First, class Out>
struct ScannedRuns {
  static constexpr bool kExclusive = kIsExclusive, kElementwise = true;
  Within within;
  First init;
  Out* out;

  TANDEM_HD Out result(std::int64_t i, const typename Within::Accumulator& x) const {
    if constexpr (kExclusive) {
      if (within.begins(i)) return static_cast<Out>(init);
    }
    return static_cast<Out>(behind_own_first(init, within.op, x.last));
  }
  void write(std::int64_t i, const typename Within::Accumulator& x) const { out[i] = result(i, x); }
};

/// A scan within the runs of n elements.
template <class T, class Within, class Results>
void own_runs_on_host(Context& ctx, const View<const T>& in, const Within& within, const Results& results) {
  using Runs = typename Within::Accumulator;
  own_scan_chunks(ctx, OwnElements<T, Within, Runs>{in.data, in.size, within},
                  static_cast<const Runs*>(nullptr),
                  [&](std::int64_t i, const Runs& before, const Runs& through) {
                    results.write(i, Results::kExclusive ? before : through);
                  });
}

/// Calls run(init, or null) where the call is right.
template <bool kExclusive, class In, class Op, class Init, class F>
void checked_own_segmented_scan(const Op& op, const Init& init, const F& run) {
  using T = element_of<const In>;
  using A = own_accumulator<Op, T, Init>;
  constexpr bool kRight = combines<Op, A, T>;
  constexpr bool kStarts = !kExclusive || !std::is_same_v<Init, NotGiven> || has_identity<Op, A>;
  static_assert(kRight, TANDEM_WRONG_OPERATOR("segmented_scan"));
  static_assert(kStarts || !kRight,
                "segmented_scan: the first result of a segment or run needs an identity, which op has not: "
                "give op one, "
                "or pass an initial value");
  if constexpr (kRight && kStarts) with_own_init<A>(op, kExclusive, init, run);
}

template <bool kExclusive, class In, class Out, class Op, class Init>
void own_segmented_scan(Context& ctx, const In& in, const Segments& segments, Out&& out, const Op& op,
                        const Init& init_or_none) {
  using T = element_of<const In>;
  using Places = places_of<Op>;
  checked_own_segmented_scan<kExclusive, In>(op, init_or_none, [&]<class A>(const A* init) {
    using First = OwnFirst<kExclusive, A, Init>;
    const Lending lending(ctx);
    translated([&] {
      check_segmented_scan(ctx, any_array(view(in)), segments, any_array(view(out)),
                           std::is_same_v<T, element_of<Out>>);
      if (segments.end() == 0) return;  // of empty ones there may be any number
      const SegmentPlaces places = places_of_segments(segments);
      const T* const data = view(in).data;
      on_place<Places>(
          ctx, "segmented_scan",
          [&](auto where) {
            const std::int64_t n = segments.end() < 0 ? view(in).size : segments.end();
            own_scan_segments_by_kernel(where, std::bool_constant<kExclusive>{}, ctx, data, n, places,
                                        view(out).data, op, init, own_first<First>(init));
          },
          [&] {
            const CallScope call(ctx, "segmented_scan/custom/threads", Place::host);
            own_scan_segments_on_host(ctx, data, places, view(out).data, op, kExclusive, init);
          });
    });
  });
}

template <bool kExclusive, class Keys, class In, class Out, class Op, class Init>
void own_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out, const Op& op,
                     const Init& init_or_none) {
  using T = element_of<const In>;
  using Places = places_of<Op>;
  checked_own_segmented_scan<kExclusive, In>(op, init_or_none, [&]<class A>(const A* init) {
    using Within = WithinRuns<Op, A, element_of<const Keys>, RunMark>;
    using First = OwnFirst<kExclusive, A, Init>;
    const Lending lending(ctx);
    translated([&] {
      check_scan_by_key(ctx, any_array(view(keys)), any_array(view(in)), any_array(view(out)),
                        std::is_same_v<T, element_of<Out>>);
      const View<const T> elements{view(in).data, view(in).size};
      const Within within{{op}, view(keys).data};
      const ScannedRuns<kExclusive, Within, First, element_of<Out>> results{within, own_first<First>(init),
                                                                            view(out).data};
      on_place<Places>(
          ctx, "scan_by_key",
          [&](auto where) {
            const CallScope call(ctx, "segmented_scan/custom/lookback");
            own_runs_by_kernel(where, ctx, elements, within, results);
          },
          [&] {
            const CallScope call(ctx, "segmented_scan/custom/threads", Place::host);
            own_runs_on_host(ctx, elements, within, results);
          });
    });
  });
}
}  // namespace detail

/// out[i] = op over the elements of i's segment from its first to in[i] for an operator of your own (own_operators.h): any
/// associative function object, which need not commute; behind init, where one is given.
///
/// in: n elements of any type; the accumulator has the type of op.lift(x) where there is one (lift(x, i): i is the place in the
/// segment), else of init, else of the elements. out: as many of a type to which an accumulator converts; may be in itself where the
/// types are one; any other overlap is refused, and one with the offsets, too. Elements outside all segments are not read, and
/// those of out not written. On the host the bits of results depend on their segment alone, and accumulators are copied and destroyed
/// trivially; on a device the order of roundings may differ from run to run. What op throws passes through; out is then unspecified.
/// For a context of a device the program includes <tandem/functors.cuh>. O(n + segments) work. Throws as segmented_inclusive_scan by a
/// compiled operator, and Unavailable (a context of a device without functors.cuh).
template <Viewable In, Viewable Out, OwnOperator Op>
void segmented_inclusive_scan(Context& ctx, const In& in, const Segments& segments, Out&& out, Op op) {
  detail::own_segmented_scan<false>(ctx, in, segments, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void segmented_inclusive_scan(Context& ctx, const In& in,
                                                                     const Segments& segments, Out&& out,
                                                                     Op op, Init init) {
  detail::own_segmented_scan<false>(ctx, in, segments, out, op, init);
}

/// out[i] = init ∘ op over the elements of i's segment before in[i]: init, the operator's identity unless given, at the first of
/// them. An operator without an identity needs it. Otherwise as segmented_inclusive_scan with an operator of your own.
template <Viewable In, Viewable Out, OwnOperator Op>
void segmented_exclusive_scan(Context& ctx, const In& in, const Segments& segments, Out&& out, Op op) {
  detail::own_segmented_scan<true>(ctx, in, segments, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void segmented_exclusive_scan(Context& ctx, const In& in,
                                                                     const Segments& segments, Out&& out,
                                                                     Op op, Init init) {
  detail::own_segmented_scan<true>(ctx, in, segments, out, op, init);
}

/// As the two above, where segments are runs of equal keys: keys are compared with their neighbours alone, and need not be sorted.
///
/// keys: n elements of any type that has ==, which must not overlap out. i of lift(x, i) is the place in the array.
template <Viewable Keys, Viewable In, Viewable Out, OwnOperator Op>
void inclusive_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out, Op op) {
  detail::own_scan_by_key<false>(ctx, keys, in, out, op, detail::NotGiven{});
}
template <Viewable Keys, Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void inclusive_scan_by_key(Context& ctx, const Keys& keys,
                                                                  const In& in, Out&& out, Op op, Init init) {
  detail::own_scan_by_key<false>(ctx, keys, in, out, op, init);
}
template <Viewable Keys, Viewable In, Viewable Out, OwnOperator Op>
void exclusive_scan_by_key(Context& ctx, const Keys& keys, const In& in, Out&& out, Op op) {
  detail::own_scan_by_key<true>(ctx, keys, in, out, op, detail::NotGiven{});
}
template <Viewable Keys, Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void exclusive_scan_by_key(Context& ctx, const Keys& keys,
                                                                  const In& in, Out&& out, Op op, Init init) {
  detail::own_scan_by_key<true>(ctx, keys, in, out, op, init);
}

}  // namespace tandem
