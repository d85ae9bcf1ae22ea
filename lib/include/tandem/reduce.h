#pragma once
// reduce: one value from many, op(x[0], x[1], …, x[n−1]).
//
// Each implementation has its own order of applications, so floating-point sums differ by rounding between
// implementations (docs/promises.md). n = 0 gives the operator's identity.

#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"

namespace tandem {

namespace detail {
/// Element types and operators that reduce is compiled for.
template <class T, class Op>
constexpr bool reduces() {
  constexpr bool widened = !std::is_same_v<T, accumulator_t<T>>;  // half, int8
  return Op::id <= OperatorId::logical_or && !std::is_unsigned_v<T> &&
         (!widened || Op::id == OperatorId::plus || Op::id == OperatorId::minimum ||
          Op::id == OperatorId::maximum);
}

TANDEM_API void reduce_into(Context& ctx, CaseId id, ConstMemory in, Memory out, const Options& options);
/// Writes the value to host memory.
TANDEM_API void reduce(Context& ctx, CaseId id, ConstMemory in, void* value, const Options& options);
}  // namespace detail

/// Reduces `in` with `op` and leaves the value in out[0], in the memory of the context, without waiting for
/// it.
///
/// op: plus (unless given), multiplies, minimum, maximum, logical_and, logical_or; for half and int8 elements
/// plus, minimum, maximum. in: n elements; out: at least one of accumulator_t<T> (half is accumulated as
/// float, int8 as int32). Integer results wrap; a NaN anywhere gives NaN (plus, multiplies, minimum,
/// maximum); logical results are 0 or 1. With options.bits = portable a sum of floating-point numbers is the
/// exact one, rounded once, whatever computes it. out must not overlap in. O(n) work; allocates nothing after
/// the first call of a size. Throws InvalidArgument (null pointers, host memory in a device context, negative
/// or overflowing sizes, unknown options.use), Unavailable (options.use cannot run here; portable products of
/// floating-point numbers), OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications"; Harris 2007, "Optimizing parallel reduction
///          in CUDA".
template <Viewable In, Viewable Out, Enumerated Op>
void reduce_into(Context& ctx, const In& in, Out&& out, Op, const Options& options = {}) {
  using T = element_of<const In>;
  static_assert(detail::reduces<T, Op>(), "reduce has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, accumulator_t<T>>,
                "reduce: out must hold the accumulator type");
  detail::reduce_into(ctx, {type_of<T>, Op::id}, detail::const_memory(in), detail::memory(out), options);
}
template <Viewable In, Viewable Out>
void reduce_into(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  reduce_into(ctx, in, out, plus, options);
}

/// As reduce_into, but waits for the value and returns it.
template <Viewable In, Enumerated Op>
accumulator_t<element_of<const In>> reduce(Context& ctx, const In& in, Op, const Options& options = {}) {
  using T = element_of<const In>;
  static_assert(detail::reduces<T, Op>(), "reduce has no such combination of element type and operator");
  accumulator_t<T> value;
  detail::reduce(ctx, {type_of<T>, Op::id}, detail::const_memory(in), &value, options);
  return value;
}
template <Viewable In>
accumulator_t<element_of<const In>> reduce(Context& ctx, const In& in, const Options& options = {}) {
  return reduce(ctx, in, plus, options);
}

}  // namespace tandem
