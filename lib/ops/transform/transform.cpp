#include "lib/ops/transform/contract.h"

#include <cmath>
#include <cstring>
#include <deque>

#include "lib/harness/guarded.h"

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

/// Inputs, poisoned output and the reference of one transform.
template <class C>
class TransformData {
  using T = typename C::T;
  using F = typename C::F;
  using Wide = std::conditional_t<std::is_same_v<T, float>, double,
                                  std::conditional_t<std::is_same_v<T, double>, long double, T>>;

 public:
  TransformData(Context& ctx, const Transform::Shape& shape, const Inputs& inputs)
      : shape_(shape), out_(ctx, shape.in_place ? 0 : shape.n, inputs.offset) {
    for (int k = 0; k < C::kInputs; ++k) {
      Inputs input = inputs;
      input.seed += static_cast<std::uint64_t>(k);
      host_.emplace_back(static_cast<std::size_t>(shape.n));
      fill(std::span<T>(host_.back()), C::id.op, input);
      in_.emplace_back(ctx, shape.n, inputs.offset + (shape.skewed ? k + 1 : 0));
    }
    // What a sum of such values is, these functions are too: they multiply small whole numbers once.
    transform_host(is_exact(inputs.values, {C::id.type, OperatorId::plus}));
  }

  typename C::Args args() {
    typename C::Args a{};
    for (int k = 0; k < C::kInputs; ++k) a.in[k] = in_[static_cast<std::size_t>(k)].data();
    a.n = shape_.n;
    a.out = output().data();
    a.f = function();
    return a;
  }
  void reset() {
    for (std::size_t k = 0; k < in_.size(); ++k) in_[k].upload(host_[k]);
    out_.poison();  // empty in place, but its guard zones are checked too
  }

  Verdict check(double) {
    Verdict verdict = compare<T>(output().download(), want_, bounds_);
    const auto intact = [&](GuardedBuffer<T>& buffer) {
      if (const std::string damage = buffer.damage(); !damage.empty())
        verdict.include(Verdict::wrong(damage));
    };
    intact(out_);
    for (std::size_t k = 0; k < in_.size(); ++k) {
      intact(in_[k]);
      if (&in_[k] == &output() || host_[k].empty()) continue;
      const std::vector<T> now = in_[k].download();
      if (std::memcmp(now.data(), host_[k].data(), now.size() * sizeof(T)) != 0) {
        verdict.include(Verdict::wrong(std::string("changed its input ") + detail::input_name(k)));
      }
    }
    return verdict;
  }

 private:
  GuardedBuffer<T>& output() { return shape_.in_place ? in_.back() : out_; }
  static F function() {
    if constexpr (C::id.op == OperatorId::axpy)
      return {T(3)};
    else
      return {};
  }

  // The definition, in a wider type where T rounds. Of absolute values it bounds the error: each term may be
  // wrong by that many roundings, and the reference by one.
  void transform_host(bool exact) {
    const auto n = static_cast<std::size_t>(shape_.n);
    want_.resize(n);
    if (!exact) bounds_.resize(n);
    const int roundings = count(C::id.op).roundings;
    for (std::size_t i = 0; i < n; ++i) {
      want_[i] = static_cast<T>(apply([&](std::size_t k) { return static_cast<Wide>(host_[k][i]); }));
      if constexpr (std::is_floating_point_v<T>) {
        if (exact || roundings == 0) continue;
        const Wide size = apply([&](std::size_t k) { return std::fabs(static_cast<Wide>(host_[k][i])); });
        bounds_[i] = gamma<T>(roundings + 1) * static_cast<double>(size);
      }
    }
  }
  template <class Get>
  static Wide apply(Get get) {
    return [&]<std::size_t... k>(std::index_sequence<k...>) { return function()(get(k)...); }
    (std::make_index_sequence<C::kInputs>{});
  }

  Transform::Shape shape_;
  std::deque<std::vector<T>> host_;
  std::deque<GuardedBuffer<T>> in_;  // buffers do not move
  GuardedBuffer<T> out_;
  std::vector<T> want_;
  std::vector<double> bounds_;
};

}  // namespace

std::vector<Trial> Transform::tests(CaseId id, Extent extent, std::uint64_t seed) {
  return array_tests<Shape>(id, extent, seed,
                            {{{0, false, false}, ""},
                             {{0, true, false}, "in place"},
                             {{0, false, true}, "skewed"},
                             {{0, true, true}, "skewed in place"}});
}

std::vector<Trial> Transform::benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
  return {{Shape{n}, {Values::exact, seed, 0}, n, ""}};
}

Work Transform::work(CaseId id, const Shape& shape) {
  const Count c = count(id.op);
  const auto n = static_cast<double>(shape.n);
  return {n * (c.inputs + 1) * static_cast<double>(size_of(id.type)), n * c.operations};
}

REGISTER_OPERATION(Transform, TransformData)

}  // namespace tandem
