#pragma once
// reduce: one value from many, op(x[0], x[1], …, x[n−1]). The order of applications is an implementation's
// own.

#include <cstdint>

#include "lib/core/registry.h"

namespace tandem {

struct Reduce {
  static constexpr const char* name = "reduce";
  static constexpr const char* meaning = "one value from many: op(x[0], x[1], …)";

  struct Shape {
    std::int64_t n;
    bool portable = false;  // the same bits on every path, place and machine
  };
  /// For paths whose order of roundings is their own: all that do not say otherwise.
  static std::string refuses(const Shape& s, CaseId id) {
    return s.portable && rounds(id) ? "its order of additions is its own, and so are its last bits" : "";
  }
  /// For paths that compute the exact sum and round it once.
  static std::string refuse_but_exact(const Shape&, CaseId id) {
    return rounds(id) && id.op == OperatorId::plus ? "" : "sums floating-point numbers only";
  }
  static bool rounds(CaseId id) {
    return is_floating(id.type) && (id.op == OperatorId::plus || id.op == OperatorId::multiplies);
  }
  template <class C>
  static constexpr bool has_exact_sum =
      C::id.op == OperatorId::plus&& std::is_floating_point_v<typename C::Acc>;

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
  using Four = CaseList<Case<T, Plus>, Case<T, Multiplies>, Case<T, Minimum>, Case<T, Maximum>>;
  template <class T>
  using Six = Joined<Four<T>, CaseList<Case<T, LogicalAnd>, Case<T, LogicalOr>>>;
  using Cases =
      Joined<Six<float>, Six<double>, Six<std::int32_t>, Six<std::int64_t>, Six<half>, Six<bfloat16>,
             Six<std::int8_t>, Six<std::uint8_t>, Four<std::uint32_t>, Four<std::uint64_t>>;
  using Counting = Case<Counted, Plus>;

  /// n = 0 gives the identity.
  template <class C>
  static bool done_without_work(const typename C::Args& args, Context& ctx) {
    static const typename C::Acc identity = C::Op::template identity<typename C::Acc>();
    if (args.n == 0) ctx.copy(args.out, &identity, sizeof identity);
    return args.n == 0;
  }
};

}  // namespace tandem
