// reduce: what it is tested with, and what is right.

#include <cmath>

#include "lib/harness/operation.h"
#include "lib/ops/reduce/contract.h"

namespace tandem {
namespace {

struct ReduceHarness {
  using Contract = Reduce;
  using TestShape = Reduce::Shape;
  static constexpr Bound bound = Bound::read;
  static constexpr bool has_large(CaseId id) { return sums_whole_numbers(id); }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Acc = typename C::Acc;
    using Op = typename C::Op;
    Input<T> in;
    Output<Acc> out;
    double magnitude = 0;  // Σ|x|, or |Π x|: what the error is relative to
    bool exact;

    Problem(Context& ctx, const TestShape& shape, const Inputs& inputs)
        : Operands(ctx),
          in(*this, shape.n, inputs.offset),
          out(*this, 1),
          exact(is_exact(inputs.values, C::id)) {
      fill(std::span<T>(in.values), Op::id, inputs);
      Wider<Acc> value = Op::template identity<Wider<Acc>>();
      for (const T& x : in.values) {
        const auto operand = static_cast<Wider<Acc>>(C::load(x));
        value = Op{}(value, operand);
        magnitude += std::fabs(static_cast<double>(operand));
      }
      if (Op::id == OperatorId::multiplies) magnitude = std::fabs(static_cast<double>(value));
      out.want = {static_cast<Acc>(value)};
    }
    typename C::Args args() { return {in.data(), in.size(), out.data()}; }
    /// Any order of n − 1 multiplications has the same relative bound; a sum's depends on its longest chain.
    Verdict check(double depth) {
      if (Op::id == OperatorId::multiplies) depth = static_cast<double>(in.size());
      out.bounds = {exact ? 0 : gamma<Acc>(depth + 1) * magnitude};
      return {};
    }
  };

  /// Periods of small numbers.
  template <class C>
  struct Large : Operands {
    static constexpr std::int64_t kPeriod = 127;
    LargeOperand<typename C::T> in;
    Output<typename C::Acc> out;

    Large(Context& ctx, const TestShape& shape, const Inputs&)
        : Operands(ctx), in(*this, shape.n, {small_numbers<typename C::T>(kPeriod)}), out(*this, 1) {
      std::int64_t sum = 0, q = 0;
      for (const auto x : small_numbers<typename C::T>(kPeriod)) {
        const std::int64_t times = shape.n / kPeriod + (q++ < shape.n % kPeriod);
        sum += times * static_cast<std::int64_t>(x);
      }
      out.want = {static_cast<typename C::Acc>(sum)};
    }
    typename C::Args args() { return {in.data(), in.size(), out.data()}; }
    Verdict check(double) { return {}; }
  };

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    return array_plan<Contract, TestShape>(coverage, seed, {{TestShape{}, ""}}, 2);
  }
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    return {{TestShape{n}, {Values::exact, seed, 0}, n, ""}};
  }
  static Work work(CaseId id, const TestShape& shape) {
    return {static_cast<double>(shape.n) * static_cast<double>(size_of(id.type)),
            static_cast<double>(shape.n)};
  }
  static Complexity count(const Implementation& implementation, Context& ctx, const TestShape& shape) {
    return count_over_arrays<Reduce::Counting>(implementation, ctx, shape.n, 1, [&](auto* in, auto* out) {
      return Reduce::Counting::Args{in, shape.n, out};
    });
  }
};

REGISTER_OPERATION(ReduceHarness)

}  // namespace
}  // namespace tandem
