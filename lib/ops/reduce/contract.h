#pragma once
// reduce: one value from many, op(x[0], x[1], …, x[n−1]).
//
// The order of applications is an implementation's own, so floating-point sums differ by rounding between
// implementations (docs/promises.md); n = 0 gives the operator's identity.

#include <cstdint>

#include "lib/core/call.h"
#include "lib/harness/operation.h"

namespace tandem {

/// What elements of type T are accumulated in and returned as: half as float, int8 as int32, others as
/// themselves.
template <class T>
struct accumulator {
  using type = T;
};
template <>
struct accumulator<half> {
  using type = float;
};
template <>
struct accumulator<std::int8_t> {
  using type = std::int32_t;
};
template <class T>
using accumulator_t = typename accumulator<T>::type;

struct Reduce {
  static constexpr const char* name = "reduce";
  static constexpr const char* meaning = "one value from many: op(x[0], x[1], …)";
  static constexpr Bound bound = Bound::read;

  struct Shape {
    std::int64_t n;
  };

  template <class Element, class Operator>
  struct Case {
    using T = Element;
    using Op = Operator;
    using Acc = accumulator_t<T>;
    static constexpr CaseId id{type_of<T>, Op::id};
    struct Args {
      const T* in;  // n elements
      std::int64_t n;
      Acc* out;  // one value, where the context computes
    };
    /// An element as an operand: widened to Acc, 0 or 1 for logical operators. Partial results pass
    /// unchanged.
    TANDEM_HD static Acc load(T x) { return Op::lift(static_cast<Acc>(x)); }
    TANDEM_HD static Acc load(Acc x) requires(!std::is_same_v<T, Acc>) { return x; }
    /// load as a function object, for libraries.
    struct Load {
      TANDEM_HD Acc operator()(T x) const { return load(x); }
    };
    /// True when load changes nothing, so that a library may read the elements itself.
    static constexpr bool kLoadsPlain =
        std::is_same_v<T, Acc> && Op::id != OperatorId::logical_and && Op::id != OperatorId::logical_or;
  };

  template <class T>
  using Six = CaseList<Case<T, Plus>, Case<T, Multiplies>, Case<T, Minimum>, Case<T, Maximum>,
                       Case<T, LogicalAnd>, Case<T, LogicalOr>>;
  template <class T>
  using Three = CaseList<Case<T, Plus>, Case<T, Minimum>, Case<T, Maximum>>;
  using Cases =
      Joined<Six<float>, Six<double>, Six<std::int32_t>, Six<std::int64_t>, Three<half>, Three<std::int8_t>>;

  using Counting = Case<Counted, Plus>;
  static Complexity count(const Implementation& implementation, Context& ctx, const Shape& shape);

  static std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed);
  static Work work(CaseId id, const Shape& shape);

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context& ctx) {
    static const typename C::Acc identity = C::Op::template identity<typename C::Acc>();
    if (args.n == 0) ctx.backend()->copy(args.out, &identity, sizeof identity);
    return args.n == 0;
  }
};

/// Reduces `in` with `op` and leaves the value in out[0], in the memory of the context, without waiting for
/// it.
/// op: plus, multiplies, minimum, maximum, logical_and, logical_or; for half and int8 elements plus, minimum,
/// maximum. Integer results wrap; a NaN anywhere gives NaN (plus, multiplies, minimum, maximum); logical
/// results are 0 or 1. out must not overlap in. O(n) work; allocates nothing after the first call of a size.
/// Throws InvalidArgument (null pointers, host memory in a device context, negative or overflowing sizes, unknown options.use),
/// Unavailable (options.use cannot run here), OutOfMemory, DeviceError.
/// Source:  Blelloch 1990, "Prefix sums and their applications"; Harris 2007, "Optimizing parallel reduction
///          in CUDA".
template <Viewable In, Viewable Out, class Op = Plus>
void reduce_into(Context& ctx, const In& in, Out&& out, Op = {}, const Options& options = {}) {
  using T = element_of<const In>;
  using C = Reduce::Case<T, Op>;
  static_assert(case_index<Reduce, C>() >= 0, "reduce has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, typename C::Acc>,
                "reduce: out must hold the accumulator type");
  const auto x = view(in);
  const auto y = view(out);
  require::array(ctx, "reduce", "in", x.data, x.size, sizeof(T));
  require::array(ctx, "reduce", "out", y.data, y.size, sizeof(typename C::Acc));
  if (y.size < 1) throw InvalidArgument("reduce: size of 'out' is 0; it must be at least 1");
  require::overlap("reduce", x.data, static_cast<std::size_t>(x.size) * sizeof(T), y.data,
                   sizeof(typename C::Acc), false);
  detail::call<Reduce, C>(ctx, {x.data, x.size, y.data}, {x.size}, options);
}

/// As reduce_into, but waits for the value and returns it.
template <Viewable In, class Op = Plus>
accumulator_t<element_of<const In>> reduce(Context& ctx, const In& in, Op op = {},
                                           const Options& options = {}) {
  using Acc = accumulator_t<element_of<const In>>;
  View<Acc> slot{ctx.state<Acc>("reduce result"), 1};
  reduce_into(ctx, in, slot, op, options);
  Acc value;
  ctx.backend()->copy(&value, slot.data, sizeof value);
  ctx.synchronize();
  return value;
}

}  // namespace tandem
