// reverse: what it is tested with, and what is right.

#include "lib/harness/operation.h"
#include "lib/ops/reverse/contract.h"

namespace tandem {
namespace {

struct ReverseHarness {
  using Contract = Reverse;
  using TestShape = Reverse::Shape;
  static constexpr Bound bound = Bound::copy;

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    Input<T> in;
    Output<T> out;

    Problem(Context& ctx, const TestShape& shape, const Inputs& inputs)
        : Operands(ctx), in(*this, shape.n, inputs.offset), out(*this, shape.n, inputs.offset) {
      fill(std::span<T>(in.values), C::id.op, inputs);
      out.want.assign(in.values.rbegin(), in.values.rend());
    }
    typename C::Args args() { return {in.data(), in.size(), out.data()}; }
    Verdict check(double) { return {}; }  // exact: what Output does by itself
  };

  static Plan plan(Coverage coverage, std::uint64_t seed) {
    return array_plan<Contract, TestShape>(coverage, seed, {{TestShape{}, ""}}, 2);
  }
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    return {{TestShape{n}, {Values::exact, seed, 0}, n, ""}};
  }
  /// One read and one write of each element; nothing is computed.
  static Work work(CaseId id, const TestShape& shape) {
    return {2.0 * static_cast<double>(shape.n) * static_cast<double>(size_of(id.type)), 0};
  }
};

REGISTER_OPERATION(ReverseHarness)

}  // namespace
}  // namespace tandem
