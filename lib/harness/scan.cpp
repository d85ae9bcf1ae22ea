// scan: what it is tested with, and what is right.

#include <cmath>

#include "lib/harness/operation.h"
#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

struct ScanHarness {
  using Contract = Scan;
  using TestShape = Scan::Shape;
  static constexpr Bound bound = Bound::copy;

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Op = typename C::Op;
    TestShape shape;
    bool exact;
    T init;
    Input<T> in;
    Output<T> out;
    std::vector<double> magnitude;  // per result, what its error is relative to

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          exact(is_exact(inputs.values, C::id)),
          init(s.with_init ? initial_value() : Op::template identity<T>()),
          in(*this, s.n, inputs.offset),
          out(*this, s.n, inputs.offset, s.in_place ? &in : nullptr) {
      fill(std::span<T>(in.values), Op::id, inputs);
      reference();
    }
    typename C::Args args() { return {in.data(), shape.n, out.data(), shape.exclusive, init}; }
    /// Any order of i multiplications has the same relative bound; a sum's depends on its longest chain.
    Verdict check(double depth) {
      out.bounds.resize(magnitude.size());
      for (std::size_t i = 0; i < magnitude.size(); ++i) {
        const double roundings = Op::id == OperatorId::multiplies ? static_cast<double>(i + 1) : depth;
        out.bounds[i] = gamma<T>(roundings + 1) * magnitude[i];
      }
      return {};
    }

   private:
    static T initial_value() {
      if constexpr (std::is_same_v<T, Bicyclic>)
        return {1, 2};
      else
        return Op::lift(static_cast<T>(Op::id == OperatorId::multiplies ? -1 : 3));
    }
    /// The definition, in a wider type where T rounds.
    void reference() {
      Wider<T> value = init;
      double sum = absolute(init);
      for (const T& x : in.values) {
        const T operand = C::load(x);
        const Wider<T> next = Op{}(value, static_cast<Wider<T>>(operand));
        const Wider<T> result = shape.exclusive ? value : next;
        out.want.push_back(static_cast<T>(result));
        value = next;
        sum += absolute(operand);
        if (!exact) magnitude.push_back(Op::id == OperatorId::multiplies ? absolute(result) : sum);
      }
    }
    template <class V>
    static double absolute(const V& x) {
      if constexpr (std::is_same_v<V, Bicyclic>)
        return 0;
      else
        return std::fabs(static_cast<double>(x));
    }
  };

  static std::vector<Trial> tests(CaseId id, Coverage coverage, std::uint64_t seed) {
    return array_tests<TestShape>(id, coverage, seed,
                                  {{{0, false, false, false}, "inclusive"},
                                   {{0, true, false, false}, "exclusive"},
                                   {{0, false, false, true}, "inclusive init"},
                                   {{0, true, false, true}, "exclusive init"},
                                   {{0, false, true, false}, "inclusive in place"},
                                   {{0, true, true, true}, "exclusive init in place"}});
  }
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    return {{TestShape{n, false}, {Values::exact, seed, 0}, n, "inclusive"}};
  }
  static Work work(CaseId id, const TestShape& shape) {
    return {2 * static_cast<double>(shape.n) * static_cast<double>(size_of(id.type)),
            static_cast<double>(shape.n)};
  }
  static Complexity count(const Implementation& implementation, Context& ctx, const TestShape& shape) {
    return count_over_arrays<Scan::Counting>(implementation, ctx, shape.n, shape.n, [&](auto* in, auto* out) {
      return Scan::Counting::Args{in, shape.n, out, shape.exclusive, Counted(0)};
    });
  }
};

REGISTER_OPERATION(ScanHarness)

}  // namespace
}  // namespace tandem
