// transform: what it is tested with, and what is right.

#include <cmath>
#include <deque>

#include "lib/harness/operation.h"
#include "lib/ops/transform/contract.h"

namespace tandem {
namespace {

/// What a function costs and how far rounding takes it, per element.
struct Count {
  int inputs, operations, roundings;
};
Count count(OperatorId function) {
  switch (function) {
    case OperatorId::negate:
      return {1, 1, 0};
    case OperatorId::square:
      return {1, 1, 1};
    case OperatorId::plus:
      return {2, 1, 1};
    case OperatorId::axpy:
      return {2, 2, 2};
    case OperatorId::multiply_add:
      return {3, 2, 2};
    default:  // dot2: both products round at once
      return {4, 3, 2};
  }
}

struct TransformHarness {
  using Contract = Transform;
  struct TestShape : Transform::Shape {
    bool skewed = false;  // every array starts at an alignment of its own
  };
  static constexpr Bound bound = Bound::copy;

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using F = typename C::F;
    static constexpr const char* kNames[] = {"x", "y", "w", "v"};
    TestShape shape;
    std::deque<Input<T>> in;  // operands do not move
    Output<T> out;

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx), shape(s), out(*this, s.n, inputs.offset, make_inputs(inputs)) {
      // What a sum of such values is, these functions are too: they multiply small whole numbers once.
      reference(is_exact(inputs.values, {C::id.type, OperatorId::plus}));
    }
    typename C::Args args() {
      typename C::Args a{};
      for (int k = 0; k < C::kInputs; ++k) a.in[k] = in[static_cast<std::size_t>(k)].data();
      a.n = shape.n;
      a.out = out.data();
      a.f = function();
      return a;
    }
    Verdict check(double) { return {}; }

   private:
    /// Returns the one in whose place the results come, if any.
    Input<T>* make_inputs(Inputs inputs) {
      for (int k = 0; k < C::kInputs; ++k, ++inputs.seed) {
        in.emplace_back(*this, shape.n, inputs.offset + (shape.skewed ? k + 1 : 0), kNames[k]);
        fill(std::span<T>(in.back().values), C::id.op, inputs);
      }
      return shape.in_place ? &in.back() : nullptr;
    }
    static F function() {
      if constexpr (C::id.op == OperatorId::axpy)
        return {T(3)};
      else
        return {};
    }
    /// The definition, in a wider type where T rounds. Applied to absolute values it bounds the error: each
    /// term may be wrong by that many roundings, and the reference by one.
    void reference(bool exact) {
      const auto n = static_cast<std::size_t>(shape.n);
      const int roundings = count(C::id.op).roundings;
      out.want.resize(n);
      if (!exact) out.bounds.resize(n);
      for (std::size_t i = 0; i < n; ++i) {
        out.want[i] =
            static_cast<T>(apply([&](std::size_t k) { return static_cast<Wider<T>>(in[k].values[i]); }));
        if constexpr (std::is_floating_point_v<T>) {
          if (exact || roundings == 0) continue;
          const auto size =
              apply([&](std::size_t k) { return std::fabs(static_cast<Wider<T>>(in[k].values[i])); });
          out.bounds[i] = gamma<T>(roundings + 1) * static_cast<double>(size) + underflow<T>(roundings);
        }
      }
    }
    template <class Get>
    static Wider<T> apply(Get get) {
      return [&]<std::size_t... k>(std::index_sequence<k...>) { return function()(get(k)...); }
      (std::make_index_sequence<C::kInputs>{});
    }
  };

  static std::vector<Trial> tests(CaseId id, Coverage coverage, std::uint64_t seed) {
    return array_tests<TestShape>(id, coverage, seed,
                                  {{{{0, false}, false}, ""},
                                   {{{0, true}, false}, "in place"},
                                   {{{0, false}, true}, "skewed"},
                                   {{{0, true}, true}, "skewed in place"}});
  }
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    return {{TestShape{{n}, false}, {Values::exact, seed, 0}, n, ""}};
  }
  static Work work(CaseId id, const TestShape& shape) {
    const Count c = count(id.op);
    const auto n = static_cast<double>(shape.n);
    return {n * (c.inputs + 1) * static_cast<double>(size_of(id.type)), n * c.operations};
  }
};

REGISTER_OPERATION(TransformHarness)

}  // namespace
}  // namespace tandem
