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
  return scans_segments<T, Op>();
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
  static_assert(
      makes_runs<Key>,
      "reduce_by_key: with an operator of Tandem's, keys are float, double or integers of 32 or 64 bits; "
      "with one of your own (own_operators.h) of any type that has ==");
  static_assert(reduces_by_key<T, Op>(),
                "reduce_by_key has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<KeysOut>, Key>,
                "reduce_by_key: keys_out must hold the type of keys");
  static_assert(std::is_same_v<element_of<Out>, accumulator_t<T>>,
                "reduce_by_key: out must hold the accumulator type");
  return {type_of<Key>, const_memory(keys), const_memory(in), memory(keys_out), memory(out)};
}
}  // namespace detail

/// For each run r of equal keys, in their order: keys_out[r] = its first key, out[r] = op over its elements of `in`; and
/// count[0] = the number of runs; in the memory of the context, without waiting for it.
///
/// op: plus (unless given), minimum, maximum. keys: n elements, uint32, int32, uint64, int64, float or double, which need
/// not be sorted: they are compared with their neighbours alone. A NaN equals nothing, so each is a run of its own; −0
/// equals +0, and keys keep their bits. in: n elements of any element type. keys_out, out: room for n elements of the type
/// of keys and of accumulator_t<T> (half and bfloat16 are accumulated as float, int8 and uint8 as int32), of which those
/// from count[0] on are not touched; count: at least one int64. What is written must not overlap anything else. Integer
/// results wrap; a NaN anywhere in a run makes its result NaN. O(n) work; allocates nothing after the first call of a
/// size. Throws InvalidArgument (sizes differ, too little room, null pointers, host memory in a device context, overlap,
/// unknown options.use), Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
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

// --- operators of the user's own

namespace detail {
/// count: null where the number is returned.
TANDEM_API void check_reduce_by_key(Context& ctx, const AnyArray& keys, const AnyArray& in,
                                    const AnyArray& keys_out, const AnyArray& out, const AnyArray* count);

/// Where a reduction of runs puts its results.
template <class Within, class First, class Key, class Out>
struct ReducedRuns {
  static constexpr bool kExclusive = false, kElementwise = false;
  Within within;
  First init;
  std::int64_t n;
  Key* keys_out;
  Out* out;
  std::int64_t* count;

  TANDEM_HD void write(std::int64_t i, const typename Within::Accumulator& x) const {
    if (within.begins(i)) keys_out[x.runs - 1] = within.keys[i];
    const bool last = i + 1 == n;
    if (last || within.begins(i + 1))
      out[x.runs - 1] = static_cast<Out>(behind_own_first(init, within.op, x.last));
    if (last) *count = x.runs;
  }
};

/// count: null where the number is returned; else what is returned means nothing.
template <class Keys, class In, class KeysOut, class Out, class Op, class Init>
std::int64_t own_reduce_by_key(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out,
                               const View<std::int64_t>* count, const Op& op, const Init& init) {
  using T = element_of<const In>;
  using Key = element_of<const Keys>;
  using A = own_accumulator<Op, T, Init>;
  using Places = places_of<Op>;
  constexpr bool kRight = combines<Op, A, T>;
  static_assert(kRight, TANDEM_WRONG_OPERATOR("reduce_by_key"));
  constexpr bool kSameKeys = std::is_same_v<element_of<KeysOut>, Key>;
  static_assert(kSameKeys, "reduce_by_key: keys_out must hold the type of keys");
  std::int64_t number = 0;
  if constexpr (kRight && kSameKeys) {
    using Within = WithinRuns<Op, A, Key, RunCount>;
    using First = OwnFirst<false, A, Init>;
    const Lending lending(ctx);
    translated([&] {
      const AnyArray counts = count ? any_array(*count) : AnyArray{};
      check_reduce_by_key(ctx, any_array(view(keys)), any_array(view(in)), any_array(view(keys_out)),
                          any_array(view(out)), count ? &counts : nullptr);
      const View<const T> elements{view(in).data, view(in).size};
      const Within within{{op}, view(keys).data};
      const auto results = [&](std::int64_t* to) {
        return ReducedRuns<Within, First, Key, element_of<Out>>{
            within, static_cast<First>(init), elements.size, view(keys_out).data, view(out).data, to};
      };
      on_place<Places>(
          ctx, "reduce_by_key",
          [&](auto where) {
            const CallScope call(ctx, "reduce_by_key/custom/lookback");
            std::int64_t* const slot = count ? count->data : ctx.scratch<std::int64_t>(1);
            if (elements.size == 0) ctx.fill(slot, 0, sizeof *slot);
            own_runs_by_kernel(where, ctx, elements, within, results(slot));
            if (count) return;
            ctx.copy(&number, slot, sizeof number);
            ctx.synchronize();
          },
          [&] {
            const CallScope call(ctx, "reduce_by_key/custom/threads", Place::host);
            own_runs_on_host(ctx, elements, within, results(&number));
            if (count) *count->data = number;
          });
    });
  }
  return number;
}
}  // namespace detail

/// As reduce_by_key_into above for an operator of your own (own_operators.h): any associative function object, which need not
/// commute. out[r] = op over run r, behind init where one is given.
///
/// keys: n elements of any type that has == and is copied by =; in: n elements of any type; the accumulator has the type of
/// op.lift(x) where there is one (lift(x, i): i is the place in the array), else of init, else of the elements. keys_out, out:
/// room for n elements, keys and what an accumulator converts to. On the host the bits of results do not depend on the machine, and
/// accumulators are copied and destroyed trivially; on a device the order of roundings may differ from run to run. What op throws passes
/// through; results are then unspecified. For a context of a device the program includes <tandem/functors.cuh>. O(n) work. Throws as
/// reduce_by_key_into by a compiled operator, and Unavailable (a context of a device without functors.cuh).
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out, Viewable Count, OwnOperator Op>
void reduce_by_key_into(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out,
                        Count&& count, Op op) {
  static_assert(std::is_same_v<element_of<Count>, std::int64_t>, "reduce_by_key: count must hold int64");
  const View<std::int64_t> counts{view(count).data, view(count).size};
  detail::own_reduce_by_key(ctx, keys, in, keys_out, out, &counts, op, detail::NotGiven{});
}
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out, Viewable Count, OwnOperator Op,
          class Init>
requires(!std::same_as<Init, Options>) void reduce_by_key_into(Context& ctx, const Keys& keys, const In& in,
                                                               KeysOut&& keys_out, Out&& out, Count&& count,
                                                               Op op, Init init) {
  static_assert(std::is_same_v<element_of<Count>, std::int64_t>, "reduce_by_key: count must hold int64");
  const View<std::int64_t> counts{view(count).data, view(count).size};
  detail::own_reduce_by_key(ctx, keys, in, keys_out, out, &counts, op, init);
}

/// The same, but waits for the number of runs and returns it.
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out, OwnOperator Op>
std::int64_t reduce_by_key(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out,
                           Op op) {
  return detail::own_reduce_by_key(ctx, keys, in, keys_out, out, nullptr, op, detail::NotGiven{});
}
template <Viewable Keys, Viewable In, Viewable KeysOut, Viewable Out, OwnOperator Op, class Init>
requires(!std::same_as<Init, Options>) std::int64_t
    reduce_by_key(Context& ctx, const Keys& keys, const In& in, KeysOut&& keys_out, Out&& out, Op op,
                  Init init) {
  return detail::own_reduce_by_key(ctx, keys, in, keys_out, out, nullptr, op, init);
}

}  // namespace tandem
