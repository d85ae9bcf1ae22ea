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
  template <class T>
  using Three = CaseList<Case<T, Plus>, Case<T, Minimum>, Case<T, Maximum>>;
  /// The last case is internal: it fails wherever operands are swapped.
  using Cases = Joined<Six<float>, Six<double>, Six<std::int32_t>, Six<std::int64_t>, Three<std::uint32_t>,
                       CaseList<Case<Bicyclic, Concatenate>>>;

  using Counting = Case<Counted, Plus>;

  template <class C>
  static bool done_without_work(const typename C::Args& args, Context&) {
    return args.n == 0;
  }
};

}  // namespace tandem
