#pragma once
// scan: prefix sums. inclusive: out[i] = init ∘ x[0] ∘ … ∘ x[i]; exclusive: out[i] = init ∘ x[0] ∘ … ∘
// x[i−1]. The operator need not commute: operands keep their order.

#include <cstdint>

#include "lib/core/registry.h"

namespace tandem {

struct Scan {
  static constexpr const char* name = "scan";
  static constexpr const char* meaning =
      "prefix sums: out[i] = init op x[0] op … op x[i] (exclusive: up to x[i-1])";

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
    /// What operands and partial results are. Where it is wider than T, a result is rounded, or wraps, once.
    using Acc = accumulator_t<T>;
    static constexpr bool kNarrow = !std::is_same_v<T, Acc>;
    static constexpr CaseId id{type_of<T>, Op::id};
    struct Args {
      const T* in;  // n elements
      std::int64_t n;
      T* out;          // n elements; may be `in`
      bool exclusive;  // leaves x[i] out of out[i]
      Acc init;        // the operator's identity unless the caller gave another; already an operand
    };
    /// An element as an operand: widened to Acc, 0 or 1 for logical operators. Operands pass unchanged.
    TANDEM_HD static Acc load(T x) { return Op::lift(static_cast<Acc>(x)); }
    TANDEM_HD static Acc load(Acc x) requires kNarrow { return Op::lift(x); }
    TANDEM_HD static T result(Acc x) { return static_cast<T>(x); }
    /// The operator's identity; that of T where a wider one would wrap on its way to a result.
    TANDEM_HD static Acc identity() {
      if constexpr (std::is_integral_v<T>)
        return static_cast<Acc>(Op::template identity<T>());
      else
        return Op::template identity<Acc>();
    }
    /// load and result as function objects, for libraries.
    struct Load {
      TANDEM_HD Acc operator()(T x) const { return load(x); }
    };
    struct Result {
      TANDEM_HD T operator()(Acc x) const { return result(x); }
    };
    static constexpr bool kLogical = Op::id == OperatorId::logical_and || Op::id == OperatorId::logical_or;
    /// True when load changes nothing, so that a library may read the elements itself.
    static constexpr bool kLoadsPlain = !kNarrow && !kLogical;
  };

  /// For paths that keep partial results in the array of the results.
  static std::string refuse_narrow(const Shape&, CaseId id) {
    return size_of(id.type) < sizeof(float)
               ? "it keeps partial results among the results, whose type has too few bits for them"
               : "";
  }

  template <class T>
  using Four = CaseList<Case<T, Plus>, Case<T, Multiplies>, Case<T, Minimum>, Case<T, Maximum>>;
  template <class T>
  using Six = Joined<Four<T>, CaseList<Case<T, LogicalAnd>, Case<T, LogicalOr>>>;
  /// The last case is internal: it fails wherever operands are swapped.
  using Cases = Joined<Six<float>, Six<double>, Six<std::int32_t>, Six<std::int64_t>, Six<half>,
                       Six<bfloat16>, Six<std::int8_t>, Six<std::uint8_t>, Four<std::uint32_t>,
                       Four<std::uint64_t>, CaseList<Case<Bicyclic, Concatenate>>>;

  using Counting = Case<Counted, Plus>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

}  // namespace tandem
