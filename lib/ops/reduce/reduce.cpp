#include "lib/ops/reduce/contract.h"

#include <cmath>
#include <cstring>

#include "lib/harness/guarded.h"

namespace tandem {
namespace {

/// Input, poisoned output and the reference of one reduction.
template <class C>
class ReduceData {
  using T = typename C::T;
  using Acc = typename C::Acc;
  using Op = typename C::Op;

 public:
  ReduceData(Context& ctx, const Reduce::Shape& shape, const Inputs& inputs)
      : host_(static_cast<std::size_t>(shape.n)), in_(ctx, shape.n, inputs.offset), out_(ctx, 1, 0) {
    fill(std::span<T>(host_), Op::id, inputs);
    exact_ = is_exact(inputs.values, C::id);
    reduce_host();
  }

  typename C::Args args() { return {in_.data(), static_cast<std::int64_t>(host_.size()), out_.data()}; }
  void reset() {
    in_.upload(host_);
    out_.poison();
  }

  Verdict check(double depth) {
    const std::vector<Acc> got = out_.download();
    double bound = 0;
    if (!exact_) {
      // Any order of n−1 multiplications has the same relative bound; a sum's depends on its longest chain.
      if (Op::id == OperatorId::multiplies) depth = static_cast<double>(host_.size());
      bound = gamma<Acc>(depth + 1) * magnitude_;
    }
    const Acc want[] = {want_};
    const double bounds[] = {bound};
    Verdict verdict = compare<Acc>(got, want, bounds);
    for (const std::string& damage : {in_.damage(), out_.damage()}) {
      if (!damage.empty()) verdict.include(Verdict::wrong(damage));
    }
    if (!unchanged()) verdict.include(Verdict::wrong("changed its input"));
    return verdict;
  }

 private:
  // One order of evaluation, in a wider type where the accumulator rounds.
  void reduce_host() {
    if constexpr (std::is_floating_point_v<Acc>) {
      using Wide = std::conditional_t<std::is_same_v<Acc, float>, double, long double>;
      Wide value = Op::template identity<Wide>();
      Wide magnitude = 0;
      for (const T& x : host_) {
        const Wide operand = static_cast<Wide>(C::load(x));
        value = Op{}(value, operand);
        magnitude += std::fabs(operand);
      }
      want_ = static_cast<Acc>(value);
      magnitude_ = static_cast<double>(Op::id == OperatorId::multiplies ? std::fabs(value) : magnitude);
    } else {
      want_ = Op::template identity<Acc>();
      for (const T& x : host_) want_ = Op{}(want_, C::load(x));
    }
  }
  bool unchanged() {
    if (host_.empty()) return true;
    const std::vector<T> now = in_.download();
    return std::memcmp(now.data(), host_.data(), host_.size() * sizeof(T)) == 0;
  }

  std::vector<T> host_;
  GuardedBuffer<T> in_;
  GuardedBuffer<Acc> out_;
  Acc want_{};
  double magnitude_ = 0;
  bool exact_ = true;
};

}  // namespace

std::vector<Trial> Reduce::tests(CaseId id, Extent extent, std::uint64_t seed) {
  return array_tests<Shape>(id, extent, seed, {{Shape{}, ""}});
}

std::vector<Trial> Reduce::benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
  return {{Shape{n}, {Values::exact, seed, 0}, n, ""}};
}

Work Reduce::work(CaseId id, const Shape& shape) {
  return {static_cast<double>(shape.n) * static_cast<double>(size_of(id.type)), static_cast<double>(shape.n)};
}

Complexity Reduce::count(const Implementation& implementation, Context& ctx, const Shape& shape) {
  const Array<Counted> in(ctx, std::vector<Counted>(static_cast<std::size_t>(shape.n), Counted(1)));
  Array<Counted> out(ctx, 1);
  const Counting::Args args{in.data(), shape.n, out.data()};
  detail::take_applications();
  run_counting(implementation, &args, ctx);
  const std::int64_t work = detail::take_applications();
  return {work, out.data()->depth};
}

REGISTER_OPERATION(Reduce, ReduceData)

}  // namespace tandem
