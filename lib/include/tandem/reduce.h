#pragma once
// reduce: one value from many, op(x[0], x[1], …, x[n−1]).
//
// Each implementation has its own order of applications, so floating-point sums differ by rounding between
// implementations (docs/promises.md). n = 0 gives the operator's identity.

#include "tandem/array.h"
#include "tandem/own_operators.h"

namespace tandem {

namespace detail {
/// Element types and operators that reduce is compiled for.
template <class T, class Op>
constexpr bool reduces() {
  constexpr bool kFour = type_of<T> == Type::u32 || type_of<T> == Type::u64;
  return Op::id <= (kFour ? OperatorId::maximum : OperatorId::logical_or);
}

TANDEM_API void reduce_into(Context& ctx, CaseId id, ConstMemory in, Memory out, const Options& options);
/// Writes the value to host memory.
TANDEM_API void reduce(Context& ctx, CaseId id, ConstMemory in, void* value, const Options& options);
}  // namespace detail

/// Reduces `in` with `op` and leaves the value in out[0], in the memory of the context, without waiting for
/// it.
///
/// op: plus (unless given), multiplies, minimum, maximum, logical_and, logical_or; for uint32 and uint64
/// elements the first four. in: n elements of any element type; out: at least one of accumulator_t<T> (half and bfloat16 are
/// accumulated as float, int8 and uint8 as int32). Integer results wrap; a NaN anywhere gives NaN (plus, multiplies,
/// minimum, maximum); logical results are 0 or 1. With options.bits = portable a sum of floating-point numbers is the
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

/// As reduce_into, but waits for the value, an accumulator_t<T>, and returns it.
template <Viewable In, Enumerated Op>
auto reduce(Context& ctx, const In& in, Op, const Options& options = {}) {
  using T = element_of<const In>;
  static_assert(detail::reduces<T, Op>(), "reduce has no such combination of element type and operator");
  accumulator_t<T> value;
  detail::reduce(ctx, {type_of<T>, Op::id}, detail::const_memory(in), &value, options);
  return value;
}
template <Viewable In>
auto reduce(Context& ctx, const In& in, const Options& options = {}) {
  return reduce(ctx, in, plus, options);
}

// --- operators of the user's own

namespace detail {
/// `out` is null where the value is returned. Whoever may be empty has an identity or an initial value.
TANDEM_API void check_reduce(Context& ctx, const AnyArray& in, const AnyArray* out, bool may_be_empty);

/// op over all elements, after *init where there is one. As reduce/custom/threads, but for operators that do not commute.
template <class A, class T, class Op>
A own_reduce_on_host(Context& ctx, const OwnElements<T, Op, A>& x, const A* init) {
  const CallScope call(ctx, "reduce/custom/threads", Place::host);
  if (x.n == 0) {
    if constexpr (has_identity<Op, A>) return init ? *init : static_cast<A>(identity_or_nothing<Op, A>(x.op));
    return *init;
  }
  A* totals = own_scratch<A>(ctx, x.chunks());
  parallel_for(x.chunks(), {.most = 8}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t c = begin; c < end; ++c) new (totals + c) A(x.reduced(c));
  });
  A total = init ? x.apply(*init, totals[0]) : totals[0];
  for (std::int64_t c = 1; c < x.chunks(); ++c) total = x.apply(total, totals[c]);
  return total;
}

/// out: null, or where the value goes.
template <class A, class Places, class T, class Out, class Op, class Init>
A own_reduce(Context& ctx, const View<const T>& in, const View<Out>* out, const Op& op,
             const Init& init_or_none) {
  constexpr bool kInit = !std::is_same_v<Init, NotGiven>;
  const Lending lending(ctx);
  return translated([&]() -> A {
    const AnyArray from = any_array(in), to = out ? any_array(*out) : AnyArray{};
    check_reduce(ctx, from, out ? &to : nullptr, kInit || has_identity<Op, A>);
    const auto run = [&](const A* init) -> A {
      return on_place<Places>(
          ctx, "reduce", [&](auto where) -> A { return own_reduce_by_kernel(where, ctx, in, out, op, init); },
          [&]() -> A {
            const A value = own_reduce_on_host(ctx, OwnElements<T, Op, A>{in.data, in.size, op}, init);
            if (out) *out->data = static_cast<Out>(value);
            return value;
          });
    };
    if constexpr (kInit) {
      const A init = static_cast<A>(init_or_none);
      return run(&init);
    } else {
      return run(nullptr);
    }
  });
}

/// out: null where the value is returned.
template <class In, class Op, class Init, class Out = NotGiven>
auto checked_own_reduce(Context& ctx, const In& in, const Op& op, const Init& init,
                        const View<Out>* out = nullptr) {
  using T = element_of<const In>;
  using A = own_accumulator<Op, T, Init>;
  constexpr bool kRight = combines<Op, A, T>;
  static_assert(kRight, TANDEM_WRONG_OPERATOR("reduce"));
  if constexpr (kRight) {
    const View<const T> from{view(in).data, view(in).size};
    if constexpr (std::is_same_v<Out, NotGiven>)
      return own_reduce<A, places_of<Op>, T, A>(ctx, from, nullptr, op, init);
    else
      own_reduce<A, places_of<Op>>(ctx, from, out, op, init);
  }
}
}  // namespace detail

/// op(…op(op(x[0], x[1]), x[2])…, x[n−1]) for an operator of your own (own_operators.h): any associative function object,
/// which need not commute.
///
/// in: n elements of any type; the accumulator has the type of op.lift(x) where there is one, else of init, else of the
/// elements. init: the operand before the first; without it n = 0 gives op's identity. Operands keep their order; a context
/// gives the same bits again, and on the host they depend neither on the machine nor on its threads. On the host accumulators
/// are copied and destroyed trivially. What op throws passes through. O(n) work, on the host on all threads. Throws
/// InvalidArgument (null pointers, host memory in a device context, n = 0 with neither identity nor init), Unavailable (a
/// context of a device without <tandem/functors.cuh>), OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications".
template <Viewable In, OwnOperator Op>
auto reduce(Context& ctx, const In& in, Op op) {
  return detail::checked_own_reduce(ctx, in, op, detail::NotGiven{});
}
template <Viewable In, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) auto reduce(Context& ctx, const In& in, Op op, Init init) {
  return detail::checked_own_reduce(ctx, in, op, init);
}

/// As reduce with an operator of your own, but leaves the value in out[0], in the memory of the context, without waiting for
/// it. out: at least one element, to which an accumulator converts; must not overlap in.
template <Viewable In, Viewable Out, OwnOperator Op>
void reduce_into(Context& ctx, const In& in, Out&& out, Op op) {
  const View<element_of<Out>> to{view(out).data, view(out).size};
  detail::checked_own_reduce(ctx, in, op, detail::NotGiven{}, &to);
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void reduce_into(Context& ctx, const In& in, Out&& out, Op op,
                                                        Init init) {
  const View<element_of<Out>> to{view(out).data, view(out).size};
  detail::checked_own_reduce(ctx, in, op, init, &to);
}

}  // namespace tandem
