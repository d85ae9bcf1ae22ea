#include "lib/ops/scan/contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lib/harness/guarded.h"

namespace tandem {
namespace {

/// Input, poisoned output and the reference of one scan.
template <class C>
class ScanData {
  using T = typename C::T;
  using Op = typename C::Op;

 public:
  ScanData(Context& ctx, const Scan::Shape& shape, const Inputs& inputs)
      : shape_(shape),
        init_(shape.with_init ? initial_value() : Op::template identity<T>()),
        exact_(is_exact(inputs.values, C::id)),
        host_(static_cast<std::size_t>(shape.n)),
        in_(ctx, shape.n, inputs.offset),
        out_(ctx, shape.in_place ? 0 : shape.n, inputs.offset) {
    fill(std::span<T>(host_), Op::id, inputs);
    scan_host();
  }

  typename C::Args args() { return {in_.data(), shape_.n, output().data(), shape_.exclusive, init_}; }
  void reset() {
    in_.upload(host_);
    out_.poison();  // empty in place, but its guard zones are checked too
  }

  Verdict check(double depth) {
    const std::vector<T> got = output().download();
    std::vector<double> bounds;
    if (!exact_) {
      // Any order of i multiplications has the same relative bound; a sum's depends on its longest chain.
      bounds.resize(want_.size());
      for (std::size_t i = 0; i < bounds.size(); ++i) {
        const double roundings = Op::id == OperatorId::multiplies ? static_cast<double>(i + 1) : depth;
        bounds[i] = gamma<T>(roundings + 1) * magnitude_[i];
      }
    }
    Verdict verdict = compare<T>(got, want_, bounds);
    for (const std::string& damage : {in_.damage(), out_.damage()}) {
      if (!damage.empty()) verdict.include(Verdict::wrong(damage));
    }
    if (!shape_.in_place && !host_.empty()) {
      const std::vector<T> now = in_.download();
      if (std::memcmp(now.data(), host_.data(), host_.size() * sizeof(T)) != 0) {
        verdict.include(Verdict::wrong("changed its input"));
      }
    }
    return verdict;
  }

 private:
  GuardedBuffer<T>& output() { return shape_.in_place ? in_ : out_; }

  static T initial_value() {
    if constexpr (std::is_same_v<T, Bicyclic>)
      return {1, 2};
    else
      return Op::lift(static_cast<T>(Op::id == OperatorId::multiplies ? -1 : 3));
  }

  // The definition, in a wider type where T rounds. magnitude_ is the sum of absolute values that bounds the
  // error.
  void scan_host() {
    using Wide = std::conditional_t<std::is_same_v<T, float>, double,
                                    std::conditional_t<std::is_same_v<T, double>, long double, T>>;
    want_.resize(host_.size());
    if (!exact_) magnitude_.resize(host_.size());
    Wide value = widen<Wide>(init_);
    double sum = 0;
    if constexpr (std::is_floating_point_v<T>) sum = std::fabs(static_cast<double>(init_));
    for (std::size_t i = 0; i < host_.size(); ++i) {
      const T operand = C::load(host_[i]);
      const Wide next = Op{}(value, widen<Wide>(operand));
      const Wide result = shape_.exclusive ? value : next;
      want_[i] = static_cast<T>(result);
      value = next;
      if constexpr (std::is_floating_point_v<T>) {
        sum += std::fabs(static_cast<double>(operand));
        if (!exact_)
          magnitude_[i] = Op::id == OperatorId::multiplies ? std::fabs(static_cast<double>(result)) : sum;
      }
    }
  }
  template <class Wide>
  static Wide widen(T x) {
    if constexpr (std::is_same_v<T, Bicyclic>)
      return x;
    else
      return static_cast<Wide>(x);
  }

  Scan::Shape shape_;
  T init_;
  bool exact_;
  std::vector<T> host_;
  GuardedBuffer<T> in_, out_;
  std::vector<T> want_;
  std::vector<double> magnitude_;
};

}  // namespace

std::vector<Trial> Scan::tests(CaseId id, Extent extent, std::uint64_t seed) {
  return array_tests<Shape>(id, extent, seed,
                            {{{0, false, false, false}, "inclusive"},
                             {{0, true, false, false}, "exclusive"},
                             {{0, false, false, true}, "inclusive init"},
                             {{0, true, false, true}, "exclusive init"},
                             {{0, false, true, false}, "inclusive in place"},
                             {{0, true, true, true}, "exclusive init in place"}});
}

std::vector<Trial> Scan::benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
  return {{Shape{n, false}, {Values::exact, seed, 0}, n, "inclusive"}};
}

Work Scan::work(CaseId id, const Shape& shape) {
  return {2 * static_cast<double>(shape.n) * static_cast<double>(size_of(id.type)),
          static_cast<double>(shape.n)};
}

Complexity Scan::count(const Implementation& implementation, Context& ctx, const Shape& shape) {
  const Array<Counted> in(ctx, std::vector<Counted>(static_cast<std::size_t>(shape.n), Counted(1)));
  Array<Counted> out(ctx, shape.n);
  const Counting::Args args{in.data(), shape.n, out.data(), shape.exclusive, Counted(0)};
  detail::take_applications();
  run_counting(implementation, &args, ctx);
  Complexity cost{detail::take_applications(), 0};
  for (std::int64_t i = 0; i < shape.n; ++i)
    cost.steps = std::max<std::int64_t>(cost.steps, out.data()[i].depth);
  return cost;
}

REGISTER_OPERATION(Scan, ScanData)

}  // namespace tandem
