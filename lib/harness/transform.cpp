// transform: what it is tested with, and what is right.

#include <fmt/format.h>

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
    int alpha = 0;        // which factor axpy has
  };
  static constexpr int kAlphas = 5;
  static constexpr Bound bound = Bound::copy;
  static constexpr bool has_large(CaseId id) { return sums_whole_numbers(id); }

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
      // One operation gives a zero its sign; a product may vanish before it enters a sum, or after.
      if (count(C::id.op).operations == 1) out.same = Same::sign;
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
    /// Factors of axpy are exact in T, one of them not in a narrower type.
    F function() const {
      if constexpr (C::id.op == OperatorId::axpy) {
        const T fine = std::is_same_v<T, double>  ? static_cast<T>(2 + 0x1p-30)
                       : std::is_same_v<T, float> ? static_cast<T>(2 + 0x1p-12)
                       : sizeof(T) == 8           ? static_cast<T>((std::int64_t{1} << 40) + 1)
                                                  : static_cast<T>((1 << 24) + 1);
        const T alphas[kAlphas] = {T(3), fine, T(-1), T(0), T(1)};
        return {alphas[shape.alpha]};
      } else {
        return {};
      }
    }
    /// The definition, in a wider type where T rounds. Applied to absolute values it bounds the error: each
    /// term may be wrong by that many roundings, and the reference by one.
    void reference(bool exact) {
      const auto n = static_cast<std::size_t>(shape.n);
      const int roundings = count(C::id.op).roundings;
      out.want.resize(n);
      if (!exact) out.bounds.resize(n);
      F sizes = function();
      if constexpr (C::id.op == OperatorId::axpy && std::is_floating_point_v<T>)
        sizes.alpha = std::fabs(sizes.alpha);
      for (std::size_t i = 0; i < n; ++i) {
        out.want[i] = static_cast<T>(
            apply(function(), [&](std::size_t k) { return static_cast<Wider<T>>(in[k].values[i]); }));
        if constexpr (std::is_floating_point_v<T>) {
          if (exact || roundings == 0) continue;
          const auto size =
              apply(sizes, [&](std::size_t k) { return std::fabs(static_cast<Wider<T>>(in[k].values[i])); });
          out.bounds[i] = gamma<T>(roundings + 1) * static_cast<double>(size) + underflow<T>(roundings);
        }
      }
    }
    template <class Get>
    static Wider<T> apply(const F& f, Get get) {
      return [&]<std::size_t... k>(std::index_sequence<k...>) { return f(get(k)...); }
      (std::make_index_sequence<C::kInputs>{});
    }
  };

  /// Periods of small numbers, of another table in each input.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    static constexpr std::int64_t kPeriod = 127;
    TestShape shape;
    std::deque<LargeOperand<T>> buffers;  // the inputs, and the output unless it is the last of them

    Large(Context& ctx, const TestShape& s, const Inputs&) : Operands(ctx), shape(s) {
      std::vector<ClosedForm<T>> in;
      for (int k = 0; k < C::kInputs; ++k) in.push_back({small_numbers<T>(kPeriod, k)});
      ClosedForm<T> out;
      for (std::size_t q = 0; q < kPeriod; ++q)
        out.first.push_back(C::apply({}, [&](int k) { return in[std::size_t(k)].first[q]; }));
      const std::size_t inputs = in.size() - s.in_place;
      for (std::size_t k = 0; k < inputs; ++k) buffers.emplace_back(*this, s.n, in[k]);
      buffers.emplace_back(*this, s.n, s.in_place ? &in.back() : nullptr, out);
    }
    typename C::Args args() {
      typename C::Args a{};
      for (std::size_t k = 0; k < C::kInputs; ++k) a.in[k] = buffers[k].data();
      a.n = shape.n;
      a.out = buffers.back().data();
      return a;
    }
    Verdict check(double) { return {}; }
  };

  static std::string variant(const TestShape& s) {
    return fmt::format("{}{}", s.skewed ? "skewed" : "aligned", s.in_place ? " in place" : "");
  }
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    const TestShape shape{{draws.size(1, elements), draws.one_in(4)}, draws.one_in(4)};
    return {shape, {Values::exact, draws.bits(), draw_offset(id, draws)}, shape.n, variant(shape)};
  }
  static Plan plan(Coverage coverage, std::uint64_t seed) {
    std::vector<ArrayVariant<TestShape>> variants;
    for (const bool in_place : {false, true}) {
      for (const bool skewed : {false, true}) {
        const TestShape shape{{0, in_place}, skewed};
        variants.push_back({shape, variant(shape)});
      }
    }
    for (int alpha = 1; alpha < kAlphas; ++alpha) {
      variants.push_back({{{0, alpha % 2 == 0}, alpha % 2 != 0, alpha},
                          fmt::format("factor {}", alpha),
                          [](CaseId id) { return id.op == OperatorId::axpy; }});
    }
    return array_plan<Contract>(coverage, seed, variants, 2);
  }
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    return {{TestShape{{n}, false}, {Values::exact, seed, 0}, n, ""}};
  }
  static Work work(CaseId id, const TestShape& shape) {
    const Count c = count(id.op);
    const auto n = static_cast<double>(shape.n);
    return {n * (c.inputs + 1) * static_cast<double>(size_of(id.type)), n * c.operations, c.inputs};
  }
};

REGISTER_OPERATION(TransformHarness)

}  // namespace
}  // namespace tandem
