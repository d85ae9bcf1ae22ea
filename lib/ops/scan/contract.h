#pragma once
// scan: prefix sums. inclusive: out[i] = init ∘ x[0] ∘ … ∘ x[i]; exclusive: out[i] = init ∘ x[0] ∘ … ∘
// x[i−1].
//
// The operator need not commute, so every implementation keeps the order of its operands; where it places the
// parentheses is its own affair, so floating-point results differ by rounding (docs/promises.md).

#include <cstdint>

#include "lib/core/call.h"
#include "lib/harness/operation.h"

namespace tandem {

struct Scan {
  static constexpr const char* name = "scan";
  static constexpr const char* meaning =
      "prefix sums: out[i] = init op x[0] op … op x[i] (exclusive: up to x[i-1])";
  static constexpr Bound bound = Bound::copy;

  struct Shape {
    std::int64_t n;
    bool exclusive = false;
    bool in_place = false;
    bool with_init = false;
  };

  template <class Element, class Operator>
  struct Case {
    using T = Element;
    using Op = Operator;
    static constexpr CaseId id{type_of<T>, Op::id};
    struct Args {
      const T* in;  // n elements
      std::int64_t n;
      T* out;          // n elements; may be `in`
      bool exclusive;  // leaves x[i] out of out[i]
      T init;          // the operator's identity unless the caller gave another; already an operand
    };
    /// An element as an operand: 0 or 1 for logical operators, unchanged for others.
    TANDEM_HD static T load(T x) { return Op::lift(x); }
    /// load as a function object, for libraries.
    struct Load {
      TANDEM_HD T operator()(T x) const { return load(x); }
    };
    /// True when load changes nothing, so that a library may read the elements itself.
    static constexpr bool kLoadsPlain = Op::id != OperatorId::logical_and && Op::id != OperatorId::logical_or;
  };

  template <class T>
  using Six = CaseList<Case<T, Plus>, Case<T, Multiplies>, Case<T, Minimum>, Case<T, Maximum>,
                       Case<T, LogicalAnd>, Case<T, LogicalOr>>;
  /// The last case is internal: it fails wherever operands are swapped.
  using Cases = Joined<Six<float>, Six<double>, Six<std::int32_t>, Six<std::int64_t>,
                       CaseList<Case<Bicyclic, Concatenate>>>;

  using Counting = Case<Counted, Plus>;
  static Complexity count(const Implementation& implementation, Context& ctx, const Shape& shape);

  static std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed);
  static std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed);
  static Work work(CaseId id, const Shape& shape);

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

namespace detail {
template <class T, class Op, class In, class Out>
void scan(Context& ctx, const In& in, Out&& out, bool exclusive, T init, const Options& options) {
  using C = Scan::Case<T, Op>;
  static_assert(case_index<Scan, C>() >= 0, "scan has no such combination of element type and operator");
  static_assert(std::is_same_v<element_of<Out>, T>, "scan: out must hold the type of in");
  const auto x = view(in);
  const auto y = view(out);
  require::array(ctx, "scan", "in", x.data, x.size, sizeof(T));
  require::array(ctx, "scan", "out", y.data, y.size, sizeof(T));
  require::same_size("scan", x.size, y.size);
  const std::size_t bytes = static_cast<std::size_t>(x.size) * sizeof(T);
  require::overlap("scan", x.data, bytes, y.data, bytes, true);
  call<Scan, C>(ctx, {x.data, x.size, y.data, exclusive, Op::lift(init)},
                {x.size, exclusive, x.data == y.data, true}, options);
}
}  // namespace detail

/// out[i] = init ∘ in[0] ∘ … ∘ in[i] in the memory of the context, without waiting for it.
///
/// op: plus, multiplies, minimum, maximum, logical_and, logical_or. Integer results wrap; from the first NaN
/// on all results are NaN (plus, multiplies, minimum, maximum); logical results are 0 or 1. out has the size
/// of in and may be in itself; any other overlap is refused. O(n) work; allocates nothing after the first
/// call of a size. Throws InvalidArgument (sizes differ, null pointers, host memory in a device context, partial overlap, unknown
/// options.use), Unavailable (options.use cannot run here), OutOfMemory, DeviceError. Source: Blelloch 1990,
/// "Prefix sums and their applications"; Merrill, Garland 2016, "Single-pass parallel prefix scan with
/// decoupled look-back".
template <Viewable In, Viewable Out, class Op = Plus>
void inclusive_scan(Context& ctx, const In& in, Out&& out, Op = {}, const Options& options = {}) {
  using T = element_of<const In>;
  detail::scan<T, Op>(ctx, in, out, false, Op::template identity<T>(), options);
}
template <Viewable In, Viewable Out, class Op>
void inclusive_scan(Context& ctx, const In& in, Out&& out, Op, element_of<const In> init,
                    const Options& options = {}) {
  detail::scan<element_of<const In>, Op>(ctx, in, out, false, init, options);
}

/// out[i] = init ∘ in[0] ∘ … ∘ in[i−1], so that out[0] = init (the operator's identity unless given).
/// Otherwise as inclusive_scan.
template <Viewable In, Viewable Out, class Op = Plus>
void exclusive_scan(Context& ctx, const In& in, Out&& out, Op = {}, const Options& options = {}) {
  using T = element_of<const In>;
  detail::scan<T, Op>(ctx, in, out, true, Op::template identity<T>(), options);
}
template <Viewable In, Viewable Out, class Op>
void exclusive_scan(Context& ctx, const In& in, Out&& out, Op, element_of<const In> init,
                    const Options& options = {}) {
  detail::scan<element_of<const In>, Op>(ctx, in, out, true, init, options);
}

}  // namespace tandem
