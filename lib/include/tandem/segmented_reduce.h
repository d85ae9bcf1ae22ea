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
