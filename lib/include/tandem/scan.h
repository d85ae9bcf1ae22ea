#pragma once
// scan: prefix sums. inclusive: out[i] = init ∘ x[0] ∘ … ∘ x[i]; exclusive: out[i] = init ∘ x[0] ∘ … ∘
// x[i−1].
//
// The operator need not commute: every implementation keeps the order of its operands. Where it places the
// parentheses is its own choice, so floating-point results differ by rounding (docs/promises.md).

#include "tandem/array.h"
#include "tandem/own_operators.h"

namespace tandem {

namespace detail {
/// Element types and operators that scan is compiled for.
template <class T, class Op>
constexpr bool scans() {
  constexpr bool kFour = type_of<T> == Type::u32 || type_of<T> == Type::u64;
  return Op::id <= (kFour ? OperatorId::maximum : OperatorId::logical_or);
}

/// init: one operand in host memory, or null for the operator's identity.
TANDEM_API void scan(Context& ctx, CaseId id, ConstMemory in, Memory out, bool exclusive, const void* init,
                     const Options& options);

/// The same, from what comes before: an accumulator.
TANDEM_API void scan_from(Context& ctx, CaseId id, ConstMemory in, Memory out, bool exclusive,
                          const void* before);

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
/// op: plus (unless given), multiplies, minimum, maximum, logical_and, logical_or; elements: any element type, of which
/// uint32 and uint64 take the first four. init: the operator's identity unless given. Results have the type of the elements: half and bfloat16 are accumulated in float, and each result is rounded
/// once; integer results wrap; from the first NaN on all results are NaN (plus, multiplies, minimum, maximum); logical
/// results are 0 or 1. out has the size of in and may be in itself; any other overlap is refused. O(n) work; allocates nothing after the first call of a
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

// --- operators of the user's own

namespace detail {
TANDEM_API void check_scan(Context& ctx, const AnyArray& in, const AnyArray& out, bool may_be_in_place);

/// Scans a chunk: write(i, op over all that comes before element i, op over it, too). Its parts advance side by side, each from
/// *before ∘ the total of those before it, so what comes out has the same bits whoever scans the chunk. before: null where nothing
/// comes before; of the first element `write` then gets nothing of use for what comes before it.
template <class A, class T, class Op, class Write>
void own_scan_chunk(const OwnElements<T, Op, A>& x, std::int64_t chunk, const A* before, const Write& write) {
  const std::int64_t first = x.begin(chunk), last = x.end(chunk), length = x.part(chunk);
  const auto step = [&](std::int64_t i, const A& running) {
    const A next = x.apply(running, x.operand(i));  // before it is written, perhaps to where its element lies
    write(i, running, next);
    return next;
  };
  const auto start = [&] {
    if (before) return step(first, *before);
    const A operand = x.operand(first);
    write(first, operand, operand);
    return operand;
  };
  const auto rest = [&](std::int64_t i, A running) {
    for (; i < last; ++i) running = step(i, running);
  };
  if (length == 0) return rest(first + 1, start());
  const auto total = x.parts(chunk);
  const auto behind = [&](const A& a) { return before ? x.apply(*before, a) : a; };
  const A ab = x.apply(total.a, total.b);
  A b = step(first + length, behind(total.a)), c = step(first + 2 * length, behind(ab)),
    d = step(first + 3 * length, behind(x.apply(ab, total.c))), a = start();
  for (std::int64_t k = first + 1; k < first + length; ++k) {
    a = step(k, a);
    b = step(k + length, b);
    c = step(k + 2 * length, c);
    d = step(k + 3 * length, d);
  }
  rest(first + 4 * length, behind(x.joined(total)));
}

/// As scan/custom/both_ends. init: null where nothing comes before the first element, which `write` must then know.
template <class A, class T, class Op, class Write>
void own_scan_chunks(Context& ctx, const OwnElements<T, Op, A>& x, const A* init, const Write& write) {
  const std::int64_t chunks = x.chunks();
  A* totals = own_scratch<A>(ctx, chunks);
  A* carries = own_scratch<A>(ctx, chunks);  // op over everything up to the end of a chunk
  std::int64_t left = 0;                     // [0, left) is scanned
  std::int64_t right = chunks;               // [right, chunks) is reduced
  const auto before = [&](std::int64_t c) { return c == 0 ? init : carries + c - 1; };
  const auto carry = [&](std::int64_t c, const A& total) {
    new (carries + c) A(before(c) ? x.apply(*before(c), total) : total);
  };
  parallel_for(chunks, {}, [&](std::int64_t begin, std::int64_t end, int worker) {
    for (std::int64_t claim = begin; claim < end; ++claim) {
      if (worker == 0) {
        carry(left, x.reduced(left));  // first, since results may go to where x lies
        own_scan_chunk(x, left, before(left), write);
        ++left;
      } else {
        const std::int64_t c = __atomic_sub_fetch(&right, 1, __ATOMIC_RELAXED);
        new (totals + c) A(x.reduced(c));
      }
    }
  });
  for (std::int64_t c = left; c < chunks; ++c) carry(c, totals[c]);
  parallel_for(chunks - left, {}, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t c = left + begin; c < left + end; ++c) own_scan_chunk(x, c, before(c), write);
  });
}

/// Calls f with what a scan writes.
template <class A, class Out, class F>
void with_own_writer(Out* out, bool exclusive, const F& f) {
  if (exclusive)
    f([out](std::int64_t i, const A& before, const A&) { out[i] = static_cast<Out>(before); });
  else
    f([out](std::int64_t i, const A&, const A& through) { out[i] = static_cast<Out>(through); });
}

/// Calls f with the accumulator before the first element: init, or where an exclusive scan has none the identity; else null.
template <class A, class Op, class Init, class F>
void with_own_init(const Op& op, bool exclusive, const Init& init_or_none, const F& f) {
  if constexpr (!std::is_same_v<Init, NotGiven>) {
    const A init = static_cast<A>(init_or_none);
    f(&init);
  } else if constexpr (has_identity<Op, A>) {
    const A init = static_cast<A>(identity_or_nothing<Op, A>(op));
    f(exclusive ? &init : nullptr);
  } else {
    f(static_cast<const A*>(nullptr));
  }
}

template <class A, class Places, class T, class Out, class Op, class Init>
void own_scan(Context& ctx, const View<const T>& in, const View<Out>& out, const Op& op, bool exclusive,
              const Init& init_or_none) {
  const Lending lending(ctx);
  translated([&] {
    check_scan(ctx, any_array(in), any_array(out), std::is_same_v<T, Out>);
    with_own_init<A>(op, exclusive, init_or_none, [&](const A* init) {
      on_place<Places>(
          ctx, "scan", [&](auto where) { own_scan_by_kernel(where, ctx, in, out, op, exclusive, init); },
          [&] {
            const CallScope call(ctx, "scan/custom/both_ends", Place::host);
            with_own_writer<A>(out.data, exclusive, [&](const auto& write) {
              own_scan_chunks(ctx, OwnElements<T, Op, A>{in.data, in.size, op}, init, write);
            });
          });
    });
  });
}

template <bool kExclusive, class In, class Out, class Op, class Init>
void checked_own_scan(Context& ctx, const In& in, Out&& out, const Op& op, const Init& init) {
  using T = element_of<const In>;
  using A = own_accumulator<Op, T, Init>;
  constexpr bool kRight = combines<Op, A, T>;
  constexpr bool kStarts = !kExclusive || !std::is_same_v<Init, NotGiven> || has_identity<Op, A>;
  static_assert(kRight, TANDEM_WRONG_OPERATOR("scan"));
  static_assert(
      kStarts,
      "exclusive_scan: out[0] needs an identity, which op has not: give op one, or pass an initial value");
  if constexpr (kRight && kStarts) {
    own_scan<A, places_of<Op>>(ctx, View<const T>{view(in).data, view(in).size},
                               View<element_of<Out>>{view(out).data, view(out).size}, op, kExclusive, init);
  }
}
}  // namespace detail

/// out[i] = op(…op(init, x[0])…, x[i]) for an operator of your own (own_operators.h): any associative function object, which
/// need not commute. Without init out[0] is x[0].
///
/// in: n elements of any type; the accumulator has the type of op.lift(x) where there is one, else of init, else of the
/// elements. out: n elements of a type to which an accumulator converts; may be in itself where the types are one; any
/// other overlap is refused. On the host the bits of results depend neither on the machine nor on its threads, and
/// accumulators are copied and destroyed trivially; on a device the order of roundings may differ from run to run, as in
/// scan/custom/lookback. What op throws passes through; out is then unspecified. O(n) work, on the host on all threads.
/// Throws InvalidArgument (sizes differ, null pointers, host memory in a device context, partial overlap), Unavailable (a
/// context of a device without <tandem/functors.cuh>), OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications"; Merrill, Garland 2016, "Single-pass parallel
///          prefix scan with decoupled look-back".
template <Viewable In, Viewable Out, OwnOperator Op>
void inclusive_scan(Context& ctx, const In& in, Out&& out, Op op) {
  detail::checked_own_scan<false>(ctx, in, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void inclusive_scan(Context& ctx, const In& in, Out&& out, Op op,
                                                           Init init) {
  detail::checked_own_scan<false>(ctx, in, out, op, init);
}

/// out[i] = op(…op(init, x[0])…, x[i−1]), so that out[0] = init: the operator's identity unless given. An operator without
/// one needs it. Otherwise as inclusive_scan with an operator of your own.
template <Viewable In, Viewable Out, OwnOperator Op>
void exclusive_scan(Context& ctx, const In& in, Out&& out, Op op) {
  detail::checked_own_scan<true>(ctx, in, out, op, detail::NotGiven{});
}
template <Viewable In, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) void exclusive_scan(Context& ctx, const In& in, Out&& out, Op op,
                                                           Init init) {
  detail::checked_own_scan<true>(ctx, in, out, op, init);
}

}  // namespace tandem
