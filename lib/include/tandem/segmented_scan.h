#pragma once
// segmented_scan: prefix sums that begin anew with each segment, which lies where offsets say, has the length of all
// others, or is a run of equal keys.
//
// The operator need not commute: every implementation keeps the order of its operands. Where it places the parentheses is
// its own choice, so floating-point results differ by rounding (docs/promises.md).

#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"
#include "tandem/segmented_reduce.h"

namespace tandem {

namespace detail {
/// Element types and operators that segmented_scan is compiled for.
template <class T, class Op>
constexpr bool scans_segments() {
  return reduces_segments<T, Op>();
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
  static_assert(makes_runs<Key>, "scan_by_key does not take keys of this type");
  static_assert(scans_segments<T, Op>(), "scan_by_key has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "scan_by_key: out must hold the type of in");
  scan_by_key(ctx, CaseId{type_of<T>, Op::id}, type_of<Key>, const_memory(keys), const_memory(in),
              memory(out), exclusive, init, options);
}
}  // namespace detail

/// out[i] = op over the elements of in from the first of i's segment to in[i], in the memory of the context, without
/// waiting for it.
///
/// op: plus (unless given), minimum, maximum. in: n elements, float, double, int32 or int64; out: as many of the same type.
/// out may be in itself; any other overlap is refused, and one with the offsets, too. Elements outside all segments are
/// not read, and those of out not written. Integer results wrap; from a NaN on all results of its segment are NaN. O(n +
/// segments) work; allocates nothing after the first call of a size. Throws InvalidArgument (a segment past the end of in,
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

}  // namespace tandem
