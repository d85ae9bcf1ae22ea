#pragma once
// scan: prefix sums. inclusive: out[i] = init ∘ x[0] ∘ … ∘ x[i]; exclusive: out[i] = init ∘ x[0] ∘ … ∘
// x[i−1].
//
// The operator need not commute: every implementation keeps the order of its operands. Where it places the
// parentheses is its own choice, so floating-point results differ by rounding (docs/promises.md).

#include "tandem/array.h"
#include "tandem/operators.h"
#include "tandem/options.h"

namespace tandem {

namespace detail {
/// Element types and operators that scan is compiled for.
template <class T, class Op>
constexpr bool scans() {
  return Op::id <= OperatorId::logical_or && std::is_same_v<T, accumulator_t<T>> && !std::is_unsigned_v<T>;
}

/// init: one operand in host memory, or null for the operator's identity.
TANDEM_API void scan(Context& ctx, CaseId id, ConstMemory in, Memory out, bool exclusive, const void* init,
                     const Options& options);

template <class In, class Out, class Op>
void scan(Context& ctx, const In& in, Out&& out, Op, bool exclusive, const element_of<const In>* init,
          const Options& options) {
  using T = element_of<const In>;
  static_assert(scans<T, Op>(), "scan has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "scan: out must hold the type of in");
  scan(ctx, CaseId{type_of<T>, Op::id}, const_memory(in), memory(out), exclusive, init, options);
}
}  // namespace detail

/// out[i] = init ∘ in[0] ∘ … ∘ in[i] in the memory of the context, without waiting for it.
///
/// op: plus (unless given), multiplies, minimum, maximum, logical_and, logical_or; elements: float, double,
/// int32, int64. init: the operator's identity unless given. Integer results wrap; from the first NaN on all
/// results are NaN (plus, multiplies, minimum, maximum); logical results are 0 or 1. out has the size of in
/// and may be in itself; any other overlap is refused. O(n) work; allocates nothing after the first call of a
/// size. Throws InvalidArgument (sizes differ, null pointers, host memory in a device context, partial
/// overlap, unknown options.use), Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications"; Merrill, Garland 2016, "Single-pass parallel
///          prefix scan with decoupled look-back".
template <Viewable In, Viewable Out, Enumerated Op>
void inclusive_scan(Context& ctx, const In& in, Out&& out, Op op, const Options& options = {}) {
  detail::scan(ctx, in, out, op, false, nullptr, options);
}
template <Viewable In, Viewable Out>
void inclusive_scan(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  detail::scan(ctx, in, out, plus, false, nullptr, options);
}
template <Viewable In, Viewable Out, Enumerated Op>
void inclusive_scan(Context& ctx, const In& in, Out&& out, Op op, element_of<const In> init,
                    const Options& options = {}) {
  detail::scan(ctx, in, out, op, false, &init, options);
}

/// out[i] = init ∘ in[0] ∘ … ∘ in[i−1], so that out[0] = init (the operator's identity unless given).
/// Otherwise as inclusive_scan.
template <Viewable In, Viewable Out, Enumerated Op>
void exclusive_scan(Context& ctx, const In& in, Out&& out, Op op, const Options& options = {}) {
  detail::scan(ctx, in, out, op, true, nullptr, options);
}
template <Viewable In, Viewable Out>
void exclusive_scan(Context& ctx, const In& in, Out&& out, const Options& options = {}) {
  detail::scan(ctx, in, out, plus, true, nullptr, options);
}
template <Viewable In, Viewable Out, Enumerated Op>
void exclusive_scan(Context& ctx, const In& in, Out&& out, Op op, element_of<const In> init,
                    const Options& options = {}) {
  detail::scan(ctx, in, out, op, true, &init, options);
}

}  // namespace tandem
