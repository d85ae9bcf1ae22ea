#pragma once
// segmented_reduce: one value from each segment of an array, or from each row or column of a matrix.
//
// Each implementation has its own order of applications, so floating-point sums differ by rounding between
// implementations (docs/promises.md). An empty segment gives the operator's identity.

#include <cstdint>
#include <optional>

#include "tandem/array.h"
#include "tandem/matrix.h"
#include "tandem/operators.h"
#include "tandem/options.h"
#include "tandem/own_operators.h"

namespace tandem {

/// Where the segments of an array lie: one behind the other, of any lengths, 0 among them. Made once for many
/// calls.
class TANDEM_API Segments {
 public:
  /// Segment s is elements offsets[s] … offsets[s+1] − 1. offsets: std::int64_t, one more than there are segments,
  /// ascending (equal ones make an empty segment) from at least 0, in host memory or that of the context, where they
  /// are copied to. Waits for the context. Throws InvalidArgument (no offset, one below 0 or below the one before it:
  /// its number and the values), OutOfMemory. O(segments).
  template <Viewable Offsets>
  Segments(Context& ctx, const Offsets& offsets)
      : Segments(ctx, View<const std::int64_t>{view(offsets).data, view(offsets).size}) {}
  Segments(Context& ctx, View<const std::int64_t> offsets);
  /// `count` segments of `length` elements from the array's first one on. Takes no memory. Throws InvalidArgument
  /// (below 0, or more than 2^63 − 1 elements).
  static Segments equal(std::int64_t count, std::int64_t length);
  /// As the first, with offsets that already lie in the memory of the context that calls are made in, and stay there
  /// as long as calls use them. Nothing is checked but that there is at least one: offsets that fall, or pass the end
  /// of an array, read and write anywhere.
  template <Viewable Offsets>
  static Segments unchecked(const Offsets& offsets) {
    return unchecked(View<const std::int64_t>{view(offsets).data, view(offsets).size});
  }
  static Segments unchecked(View<const std::int64_t> offsets);

  std::int64_t count() const { return count_; }
  /// In the memory of the context; null where segments are equal.
  const std::int64_t* offsets() const { return offsets_; }
  /// Of the longest segment; -1 where nobody looked.
  std::int64_t longest() const { return longest_; }
  /// Behind the last element of the last segment; -1 where nobody looked.
  std::int64_t end() const { return end_; }

 private:
  Segments(std::int64_t count, const std::int64_t* offsets, std::int64_t longest, std::int64_t end)
      : count_(count), offsets_(offsets), longest_(longest), end_(end) {}

  std::int64_t count_;
  const std::int64_t* offsets_;
  std::int64_t longest_, end_;
  std::optional<Array<std::int64_t>> memory_;
};

namespace detail {
/// Element types and operators that segmented_reduce is compiled for.
template <class T, class Op>
constexpr bool reduces_segments() {
  return (type_of<T> == Type::f32 || type_of<T> == Type::f64 || type_of<T> == Type::i32 ||
          type_of<T> == Type::i64) &&
         (Op::id == OperatorId::plus || Op::id == OperatorId::minimum || Op::id == OperatorId::maximum);
}

TANDEM_API void segmented_reduce(Context& ctx, CaseId id, ConstMemory in, const Segments& segments,
                                 Memory out, const Options& options);
TANDEM_API void reduce_axis(Context& ctx, CaseId id, const MatrixView<const std::byte>& in, int axis,
                            Memory out, const Options& options);
}  // namespace detail

/// out[s] = op over the elements of segment s, the operator's identity where it is empty, in the memory of the
/// context, without waiting for it.
///
/// op: plus (unless given), minimum, maximum. in: float, double, int32 or int64; out: the same type, one for each
/// segment; must not overlap in or the offsets. Elements of `in` outside all segments are not read. Integer results
/// wrap; a NaN anywhere in a segment makes its result NaN. O(elements + segments) work; allocates nothing after the
/// first call of a size. Throws InvalidArgument (a segment past the end of in, another size of out, null pointers,
/// segments or host memory of another place, overlap, unknown options.use), Unavailable (options.use cannot run here or
/// does not take such segments), OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications" (segmented operations); Merrill, Garland 2016,
///          "Merge-based parallel sparse matrix-vector multiplication".
template <Viewable In, Viewable Out, Enumerated Op>
void segmented_reduce(Context& ctx, const In& in, const Segments& segments, Out&& out, Op,
                      const Options& options = {}) {
  using T = element_of<const In>;
  static_assert(detail::reduces_segments<T, Op>(),
                "segmented_reduce has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "segmented_reduce: out must hold the type of in");
  detail::segmented_reduce(ctx, {type_of<T>, Op::id}, detail::const_memory(in), segments, detail::memory(out),
                           options);
}
template <Viewable In, Viewable Out>
void segmented_reduce(Context& ctx, const In& in, const Segments& segments, Out&& out,
                      const Options& options = {}) {
  segmented_reduce(ctx, in, segments, out, plus, options);
}

// --- operators of the user's own

namespace detail {
TANDEM_API void check_own_segments(Context& ctx, const AnyArray& in, const Segments& segments,
                                   const AnyArray& out);

/// Where segments lie, for loops and kernels.
struct SegmentPlaces {
  const std::int64_t* offsets;  // null where all have `length` elements
  std::int64_t length;
  TANDEM_HD std::int64_t begin(std::int64_t s) const { return offsets ? offsets[s] : s * length; }
};
inline SegmentPlaces places_of_segments(const Segments& segments) {
  return {segments.offsets(), segments.offsets() ? 0 : segments.longest()};
}

/// As segmented_reduce/custom/threads: threads share short segments, then the chunks of each long one. The bits of a result
/// depend on its segment alone.
template <class A, class T, class Out, class Op>
void own_reduce_segments_on_host(Context& ctx, const T* in, const Segments& segments, Out* out, const Op& op,
                                 const A& init) {
  constexpr std::int64_t kLong = 4 * kOwnChunk;
  const CallScope call(ctx, "segmented_reduce/custom/threads", Place::host);
  const SegmentPlaces places = places_of_segments(segments);
  const std::int64_t count = segments.count();
  const auto size = [&](std::int64_t s) { return places.begin(s + 1) - places.begin(s); };
  const auto elements = [&](std::int64_t s) {
    return OwnElements<T, Op, A>{in + places.begin(s), size(s), op};
  };
  const std::int64_t all = count > 0 ? places.begin(count) - places.begin(0) : 0;
  const std::int64_t piece =
      1 + kOwnChunk * count / (1 + count + all);  // segments of a chunk's worth of work
  parallel_for(count, {.size = piece, .alone = piece}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t s = begin; s < end; ++s) {
      if (size(s) > kLong) continue;
      const auto x = elements(s);
      A total = init;
      for (std::int64_t c = 0; c < x.chunks(); ++c) total = x.apply(total, x.reduced(c));
      out[s] = static_cast<Out>(total);
    }
  });
  for (std::int64_t s = 0; s < count; ++s) {
    if (size(s) <= kLong) continue;
    const auto x = elements(s);
    A* const totals = own_scratch<A>(ctx, x.chunks());
    parallel_for(x.chunks(), {}, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t c = begin; c < end; ++c) new (totals + c) A(x.reduced(c));
    });
    A total = init;
    for (std::int64_t c = 0; c < x.chunks(); ++c) total = x.apply(total, totals[c]);
    out[s] = static_cast<Out>(total);
  }
}

template <class A, class Places, class T, class Out, class Op>
void own_segmented_reduce(Context& ctx, const View<const T>& in, const Segments& segments,
                          const View<Out>& out, const Op& op, const A& init) {
  const Lending lending(ctx);
  translated([&] {
    check_own_segments(ctx, any_array(in), segments, any_array(out));
    if constexpr (Places::kKernels) {
      if (!Places::kHost || ctx.place() != Place::host)
        return own_reduce_segments_by_kernel(Places{}, ctx, in, segments, out.data, op, init);
    }
    if constexpr (Places::kHost) {
      require_host(ctx, "segmented_reduce");
      own_reduce_segments_on_host<A>(ctx, in.data, segments, out.data, op, init);
    }
  });
}

template <class In, class Out, class Op, class Init>
void checked_own_segmented_reduce(Context& ctx, const In& in, const Segments& segments, Out&& out,
                                  const Op& op, const Init& init) {
  using T = element_of<const In>;
  using A = own_accumulator<Op, T, Init>;
  constexpr bool kRight = combines<Op, A, T>;
  constexpr bool kStarts = !std::is_same_v<Init, NotGiven> || has_identity<Op, A>;
  static_assert(kRight, TANDEM_WRONG_OPERATOR("segmented_reduce"));
  static_assert(
      kStarts || !kRight,
      "segmented_reduce: an empty segment needs an identity, which op has not: give op one, or pass an "
      "initial value");
  if constexpr (kRight && kStarts) {
    const auto run = [&](const A& first) {
      own_segmented_reduce<A, places_of<Op>>(ctx, View<const T>{view(in).data, view(in).size}, segments,
                                             View<element_of<Out>>{view(out).data, view(out).size}, op,
                                             first);
    };
    if constexpr (std::is_same_v<Init, NotGiven>)
      run(static_cast<A>(identity_or_nothing<Op, A>(op)));
    else
      run(static_cast<A>(init));
  }
}
}  // namespace detail

/// out[s] = op(…op(init, x[first of segment s])…, x[last]) for an operator of your own (own_operators.h): any associative function
/// object, which need not commute. Without init its identity begins each segment; an operator without one needs it.
///
/// in: n elements of any type; the accumulator has the type of op.lift(x) where there is one (lift(x, i): i is the place in the
/// segment), else of init, else of the elements. out: one for each segment, to which an accumulator converts; must not overlap in
/// or the offsets. The bits of a result depend on its segment alone, on the host on every machine. What op throws passes through;
/// out is then unspecified. For a context of a device the program includes <tandem/functors.cuh>. O(elements + segments) work; on a
/// device one long segment among many short ones is reduced by one block. Throws as segmented_reduce.
template <Viewable In, Viewable Out, OwnOperator Op>
void segmented_reduce(Context& ctx, const In& in, const Segments& segments, Out&& out, Op op) {
  detail::checked_own_segmented_reduce(ctx, in, segments, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void segmented_reduce(Context& ctx, const In& in,
                                                             const Segments& segments, Out&& out, Op op,
                                                             Init init) {
  detail::checked_own_segmented_reduce(ctx, in, segments, out, op, init);
}

/// Reduces a matrix along an axis, as NumPy counts them: along axis 1 out[i] is op over row i, along axis 0 out[j] is
/// op over column j. The gaps between its lines are not read. Otherwise as above; throws InvalidArgument for other axes,
/// too, and a leading dimension below the length of a line.
template <class In, Viewable Out, Enumerated Op>
void reduce_axis(Context& ctx, const MatrixView<In>& in, int axis, Out&& out, Op,
                 const Options& options = {}) {
  using T = std::remove_const_t<In>;
  static_assert(detail::reduces_segments<T, Op>(),
                "reduce_axis has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "reduce_axis: out must hold the type of in");
  detail::reduce_axis(ctx, {type_of<T>, Op::id}, detail::untyped(in), axis, detail::memory(out), options);
}
template <class In, Viewable Out>
void reduce_axis(Context& ctx, const MatrixView<In>& in, int axis, Out&& out, const Options& options = {}) {
  reduce_axis(ctx, in, axis, out, plus, options);
}

}  // namespace tandem
