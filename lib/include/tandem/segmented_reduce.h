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
  return Op::id == OperatorId::plus || Op::id == OperatorId::minimum || Op::id == OperatorId::maximum;
}

TANDEM_API void segmented_reduce(Context& ctx, CaseId id, ConstMemory in, const Segments& segments,
                                 Memory out, const Options& options);
TANDEM_API void reduce_axis(Context& ctx, CaseId id, const MatrixView<const std::byte>& in, int axis,
                            Memory out, const Options& options);
}  // namespace detail

/// out[s] = op over the elements of segment s, the operator's identity where it is empty, in the memory of the
/// context, without waiting for it.
///
/// op: plus (unless given), minimum, maximum. in: elements of any element type; out: accumulator_t<T> (half and
/// bfloat16 are accumulated as float, int8 and uint8 as int32), one for each segment; must not overlap in or the
/// offsets. Elements of `in` outside all segments are not read. Integer results wrap; a NaN anywhere in a segment makes
/// its result NaN. O(elements + segments) work; allocates nothing after the first call of a size. Throws InvalidArgument
/// (a segment past the end of in, another size of out, null pointers, segments or host memory of another place, overlap,
/// unknown options.use), Unavailable (options.use cannot run here or does not take such segments), OutOfMemory,
/// DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications" (segmented operations); Merrill, Garland 2016,
///          "Merge-based parallel sparse matrix-vector multiplication".
template <Viewable In, Viewable Out, Enumerated Op>
void segmented_reduce(Context& ctx, const In& in, const Segments& segments, Out&& out, Op,
                      const Options& options = {}) {
  using T = element_of<const In>;
  static_assert(detail::reduces_segments<T, Op>(),
                "segmented_reduce has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, accumulator_t<T>>,
                "segmented_reduce: out must hold the accumulator type");
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
TANDEM_API void check_own_axis(Context& ctx, const MatrixView<const std::byte>& in, std::size_t element_bytes,
                               std::size_t alignment, int axis, const AnyArray& out);

/// Where segments lie, for loops and kernels.
struct SegmentPlaces {
  std::int64_t count;
  const std::int64_t* offsets;  // null where all have `length` elements and begin `stride` apart
  std::int64_t length, stride;
  TANDEM_HD std::int64_t begin(std::int64_t s) const { return offsets ? offsets[s] : s * stride; }
  TANDEM_HD std::int64_t size(std::int64_t s) const { return offsets ? offsets[s + 1] - offsets[s] : length; }
};
inline SegmentPlaces places_of_segments(const Segments& segments) {
  const std::int64_t length = segments.offsets() ? 0 : segments.longest();
  return {segments.count(), segments.offsets(), length, length};
}

/// Calls of_short(s, first element, size) for segments that one thread does, which threads share, then of_long in the same way for
/// the others, one after the other.
template <class Short, class Long>
void for_own_segments(const SegmentPlaces& places, const Short& of_short, const Long& of_long) {
  constexpr std::int64_t kLong = 4 * kOwnChunk;
  const std::int64_t count = places.count;
  const std::int64_t all = count == 0       ? 0
                           : places.offsets ? places.offsets[count] - places.offsets[0]
                                            : count * places.length;
  const std::int64_t piece =
      1 + kOwnChunk * count / (1 + count + all);  // segments of a chunk's worth of work
  parallel_for(count, {.size = piece, .alone = piece}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t s = begin; s < end; ++s) {
      if (places.size(s) <= kLong) of_short(s, places.begin(s), places.size(s));
    }
  });
  for (std::int64_t s = 0; s < count; ++s) {
    if (places.size(s) > kLong) of_long(s, places.begin(s), places.size(s));
  }
}

/// As segmented_reduce/custom/threads: threads share short segments, then the chunks of each long one. The bits of a result
/// depend on its segment alone.
template <class A, class T, class Out, class Op>
void own_reduce_segments_on_host(Context& ctx, const T* in, const SegmentPlaces& places, Out* out,
                                 const Op& op, const A& init) {
  const auto elements = [&](std::int64_t first, std::int64_t size) {
    return OwnElements<T, Op, A>{size > 0 ? in + first : in, size, op};  // without elements `in` may be null
  };
  const auto joined = [&](const OwnElements<T, Op, A>& x, const auto& total_of) {
    A total = init;
    for (std::int64_t c = 0; c < x.chunks(); ++c) total = x.apply(total, total_of(c));
    return static_cast<Out>(total);
  };
  for_own_segments(
      places,
      [&](std::int64_t s, std::int64_t first, std::int64_t size) {
        const OwnElements<T, Op, A> x = elements(first, size);
        out[s] = joined(x, [&](std::int64_t c) { return x.reduced(c); });
      },
      [&](std::int64_t s, std::int64_t first, std::int64_t size) {
        const OwnElements<T, Op, A> x = elements(first, size);
        A* const totals = own_scratch<A>(ctx, x.chunks());
        parallel_for(x.chunks(), {}, [&](std::int64_t begin, std::int64_t end, int) {
          for (std::int64_t c = begin; c < end; ++c) new (totals + c) A(x.reduced(c));
        });
        out[s] = joined(x, [&](std::int64_t c) { return totals[c]; });
      });
}

/// out[j] = op over element j of each of `lines` lines, which begin ld apart. Threads share blocks of neighbouring results, and
/// chunks of lines where there are many.
template <class A, class T, class Out, class Op>
void own_reduce_across_on_host(Context& ctx, const T* in, std::int64_t lines, std::int64_t ld,
                               std::int64_t results, Out* out, const Op& op, const A& init) {
  constexpr std::int64_t kBlock = 1 + 4096 / static_cast<std::int64_t>(sizeof(A)), kLines = 1024;
  const auto least = [](std::int64_t a, std::int64_t b) { return a < b ? a : b; };
  const std::int64_t chunks = (lines + kLines - 1) / kLines, blocks = (results + kBlock - 1) / kBlock;
  A* const totals = own_scratch<A>(ctx, chunks * results);
  const std::int64_t work = least(lines, kLines) * least(results, kBlock), piece = 1 + kOwnChunk / (1 + work);
  parallel_for(chunks * blocks, {.size = piece, .alone = piece},
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t b = begin; b < end; ++b) {
                   const std::int64_t from = b % blocks * kBlock, to = least(results, from + kBlock);
                   const std::int64_t first = b / blocks * kLines, last = least(lines, first + kLines);
                   A* const total = totals + b / blocks * results;
                   const auto operand = [&](std::int64_t i, std::int64_t j) {
                     return static_cast<A>(lifted(op, in[i * ld + j], i));
                   };
                   for (std::int64_t j = from; j < to; ++j) new (total + j) A(operand(first, j));
                   for (std::int64_t i = first + 1; i < last; ++i) {
                     for (std::int64_t j = from; j < to; ++j)
                       total[j] = static_cast<A>(op(total[j], operand(i, j)));
                   }
                 }
               });
  const std::int64_t joins = 1 + kOwnChunk / (1 + chunks);
  parallel_for(results, {.size = joins, .alone = joins}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t j = begin; j < end; ++j) {
      A total = init;
      for (std::int64_t c = 0; c < chunks; ++c) total = static_cast<A>(op(total, totals[c * results + j]));
      out[j] = static_cast<Out>(total);
    }
  });
}

/// Calls f with what each segment begins with, init or else the identity of op, where the call is right.
template <class T, class Op, class Init, class F>
void with_first_of_segments(const Op& op, const Init& init, const F& f) {
  using A = own_accumulator<Op, T, Init>;
  constexpr bool kRight = combines<Op, A, T>;
  constexpr bool kStarts = !std::is_same_v<Init, NotGiven> || has_identity<Op, A>;
  static_assert(kRight, TANDEM_WRONG_OPERATOR("segmented_reduce"));
  static_assert(kStarts || !kRight,
                "segmented_reduce: an empty segment, row or column needs an identity, which op has not: give "
                "op one, or "
                "pass an initial value");
  if constexpr (kRight && kStarts) {
    if constexpr (std::is_same_v<Init, NotGiven>)
      f(static_cast<A>(identity_or_nothing<Op, A>(op)));
    else
      f(static_cast<A>(init));
  }
}

template <class In, class Out, class Op, class Init>
void own_segmented_reduce(Context& ctx, const In& in, const Segments& segments, Out&& out, const Op& op,
                          const Init& init) {
  using T = element_of<const In>;
  using Places = places_of<Op>;
  with_first_of_segments<T>(op, init, [&]<class A>(const A& first) {
    const Lending lending(ctx);
    translated([&] {
      check_own_segments(ctx, any_array(view(in)), segments, any_array(view(out)));
      const SegmentPlaces places = places_of_segments(segments);
      const std::int64_t elements = segments.end() < 0 ? view(in).size : segments.end();
      const T* const data = view(in).data;
      on_place<Places>(
          ctx, "segmented_reduce",
          [&](auto where) {
            own_reduce_segments_by_kernel(where, ctx, data, places, elements, segments.longest(),
                                          view(out).data, op, first);
          },
          [&] {
            const CallScope call(ctx, "segmented_reduce/custom/threads", Place::host);
            own_reduce_segments_on_host(ctx, data, places, view(out).data, op, first);
          });
    });
  });
}

template <class In, class Out, class Op, class Init>
void own_reduce_axis(Context& ctx, const MatrixView<In>& in, int axis, Out&& out, const Op& op,
                     const Init& init) {
  using T = std::remove_const_t<In>;
  using Places = places_of<Op>;
  with_first_of_segments<T>(op, init, [&]<class A>(const A& first) {
    const Lending lending(ctx);
    translated([&] {
      check_own_axis(ctx, untyped(in), sizeof(T), alignof(T), axis, any_array(view(out)));
      const T* const data = in.data;
      const bool along_lines = (axis == 1) == (in.layout == Layout::row_major);
      const SegmentPlaces lines{in.lines(), nullptr, in.line(), in.ld};
      on_place<Places>(
          ctx, "reduce_axis",
          [&](auto where) {
            if (along_lines)
              own_reduce_segments_by_kernel(where, ctx, data, lines, in.lines() * in.line(), in.line(),
                                            view(out).data, op, first);
            else
              own_reduce_across_by_kernel(where, ctx, data, in.lines(), in.ld, in.line(), view(out).data, op,
                                          first);
          },
          [&] {
            const CallScope call(ctx, "segmented_reduce/custom/threads", Place::host);
            if (along_lines)
              own_reduce_segments_on_host(ctx, data, lines, view(out).data, op, first);
            else
              own_reduce_across_on_host(ctx, data, in.lines(), in.ld, in.line(), view(out).data, op, first);
          });
    });
  });
}
}  // namespace detail

/// out[s] = op(…op(init, x[first of segment s])…, x[last]) for an operator of your own (own_operators.h): any associative function
/// object, which need not commute. Without init its identity begins each segment; an operator without one needs it.
///
/// in: n elements of any type; the accumulator has the type of op.lift(x) where there is one (lift(x, i): i is the place in the
/// segment), else of init, else of the elements. out: one for each segment, to which an accumulator converts; must not overlap in
/// or the offsets. On the host the bits of a result depend on its segment alone, on every machine, and accumulators are destroyed
/// trivially; on a device the order of roundings depends on how many segments there are and how long, too. What op throws passes
/// through; out is then unspecified. For a context of a device the program includes <tandem/functors.cuh>. O(elements + segments) work; on a
/// device one long segment among many short ones is reduced by one warp or block. Throws as segmented_reduce by a compiled operator, and
/// Unavailable (a context of a device without functors.cuh).
template <Viewable In, Viewable Out, OwnOperator Op>
void segmented_reduce(Context& ctx, const In& in, const Segments& segments, Out&& out, Op op) {
  detail::own_segmented_reduce(ctx, in, segments, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void segmented_reduce(Context& ctx, const In& in,
                                                             const Segments& segments, Out&& out, Op op,
                                                             Init init) {
  detail::own_segmented_reduce(ctx, in, segments, out, op, init);
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
  static_assert(std::is_same_v<element_of<Out>, accumulator_t<T>>,
                "reduce_axis: out must hold the accumulator type");
  detail::reduce_axis(ctx, {type_of<T>, Op::id}, detail::untyped(in), axis, detail::memory(out), options);
}
template <class In, Viewable Out>
void reduce_axis(Context& ctx, const MatrixView<In>& in, int axis, Out&& out, const Options& options = {}) {
  reduce_axis(ctx, in, axis, out, plus, options);
}

/// The same for an operator of your own, as segmented_reduce takes it; lift's i is the place in the row or column. On the host
/// the bits of a result depend on its row or column alone, and on whether that lies side by side in memory.
template <class In, Viewable Out, OwnOperator Op>
void reduce_axis(Context& ctx, const MatrixView<In>& in, int axis, Out&& out, Op op) {
  detail::own_reduce_axis(ctx, in, axis, out, op, detail::NotGiven{});
}
template <class In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void reduce_axis(Context& ctx, const MatrixView<In>& in, int axis,
                                                        Out&& out, Op op, Init init) {
  detail::own_reduce_axis(ctx, in, axis, out, op, init);
}

}  // namespace tandem
