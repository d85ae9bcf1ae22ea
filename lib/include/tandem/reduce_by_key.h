#pragma once
// reduce_by_key: one value from each run of equal keys, with its key, and how many runs there are. After sort_by_key that is
// one value for each key.
//
// Each implementation has its own order of applications within a run, so floating-point sums differ by rounding between
// implementations (docs/promises.md).

#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"
#include "tandem/segmented_scan.h"

namespace tandem {

namespace detail {
/// Element types and operators that reduce_by_key is compiled for.
template <class T, class Op>
constexpr bool reduces_by_key() {
  return reduces_segments<T, Op>();
}

/// What a call reads and writes.
struct KeyedArrays {
  Type key_type;
  ConstMemory keys, in;
  Memory keys_out, out;
};
/// count: one int64 in the memory of the context.
TANDEM_API void reduce_by_key_into(Context& ctx, CaseId id, const KeyedArrays& arrays, Memory count,
                                   const Options& options);
/// Waits for the count and returns it.
TANDEM_API std::int64_t reduce_by_key(Context& ctx, CaseId id, const KeyedArrays& arrays,
                                      const Options& options);

template <class Op, class Keys, class In, class KeysOut, class Out>
KeyedArrays keyed_arrays(const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out) {
  using T = element_of<const In>;
  using Key = element_of<const Keys>;
  static_assert(makes_runs<Key>, "reduce_by_key does not take keys of this type");
  static_assert(reduces_by_key<T, Op>(),
                "reduce_by_key has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<KeysOut>, Key>,
                "reduce_by_key: keys_out must hold the type of keys");
  static_assert(std::is_same_v<element_of<Out>, T>, "reduce_by_key: out must hold the type of in");
  return {type_of<Key>, const_memory(keys), const_memory(in), memory(keys_out), memory(out)};
}
}  // namespace detail

/// For each run r of equal keys, in their order: keys_out[r] = its first key, out[r] = op over its elements of `in`; and
/// count[0] = the number of runs; in the memory of the context, without waiting for it.
///
/// op: plus (unless given), minimum, maximum. keys: n elements, uint32, int32, uint64, int64, float or double, which need
/// not be sorted: they are compared with their neighbours alone. A NaN equals nothing, so each is a run of its own; −0
/// equals +0, and keys keep their bits. in: n elements, float, double, int32 or int64. keys_out, out: room for n elements
/// of the types of keys and in, of which those from count[0] on are not touched; count: at least one int64. What is
/// written must not overlap anything else. Integer results wrap; a NaN anywhere in a run makes its result NaN. O(n) work;
/// allocates nothing after the first call of a size. Throws InvalidArgument (sizes differ, too little room, null
/// pointers, host memory in a device context, overlap, unknown options.use), Unavailable (options.use cannot run here),
/// OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications" (segmented operations); Merrill, Garland 2016,
///          "Single-pass parallel prefix scan with decoupled look-back".
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out, Viewable Count, Enumerated Op>
void reduce_by_key_into(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out,
                        Count&& count, Op, const Options& options = {}) {
  static_assert(std::is_same_v<element_of<Count>, std::int64_t>, "reduce_by_key: count must hold int64");
  detail::reduce_by_key_into(ctx, CaseId{type_of<element_of<const In>>, Op::id},
                             detail::keyed_arrays<Op>(keys, in, keys_out, out), detail::memory(count),
                             options);
}
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out, Viewable Count>
void reduce_by_key_into(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out,
                        Count&& count, const Options& options = {}) {
  reduce_by_key_into(ctx, keys, in, keys_out, out, count, plus, options);
}

/// As reduce_by_key_into, but waits for the number of runs and returns it.
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out, Enumerated Op>
std::int64_t reduce_by_key(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out, Op,
                           const Options& options = {}) {
  return detail::reduce_by_key(ctx, CaseId{type_of<element_of<const In>>, Op::id},
                               detail::keyed_arrays<Op>(keys, in, keys_out, out), options);
}
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out>
std::int64_t reduce_by_key(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out,
                           const Options& options = {}) {
  return reduce_by_key(ctx, keys, in, keys_out, out, plus, options);
}

}  // namespace tandem
