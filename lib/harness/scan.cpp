// scan: what it is tested with, and what is right.

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "lib/harness/initial_value.h"
#include "lib/harness/operation.h"
#include "lib/ops/scan/contract.h"

namespace tandem {
namespace {

struct ScanHarness {
  using Contract = Scan;
  struct TestShape : Scan::Shape {
    bool skewed = false;  // input and output start at different alignments
  };
  static constexpr Bound bound = Bound::copy;
  static constexpr bool has_large(CaseId id) { return sums_whole_numbers(id); }

  template <class C>
  struct Problem : Operands {
    using T = typename C::T;
    using Acc = typename C::Acc;
    using Op = typename C::Op;
    TestShape shape;
    bool exact;
    Acc init;
    Input<T> in;
    Output<T> out;
    std::vector<double> magnitude;  // per result, what its error is relative to

    Problem(Context& ctx, const TestShape& s, const Inputs& inputs)
        : Operands(ctx),
          shape(s),
          exact(is_exact(inputs.values, C::id)),
          init(s.with_init ? C::load(initial_value<C>(inputs.seed)) : C::identity()),
          in(*this, s.n, inputs.offset),
          out(*this, s.n, inputs.offset + s.skewed, s.in_place ? &in : nullptr) {
      fill(std::span<T>(in.values), Op::id, inputs);
      reference();
    }
    typename C::Args args() { return {in.data(), shape.n, out.data(), shape.exclusive, init}; }
    /// Any order of i multiplications has the same relative bound; a sum's depends on its longest chain.
    Verdict check(double depth) {
      out.bounds.resize(magnitude.size());
      for (std::size_t i = 0; i < magnitude.size(); ++i) {
        const double roundings = Op::id == OperatorId::multiplies ? static_cast<double>(i + 1) : depth;
        out.bounds[i] = rounded_error(gamma<Acc>(roundings + 1) * magnitude[i], out.want[i]);
      }
      return {};
    }

   private:
    /// The definition, in a wider type where T rounds.
    void reference() {
      Wider<Acc> value = init;
      double sum = absolute(init);
      for (const T& x : in.values) {
        const Acc operand = C::load(x);
        const Wider<Acc> next = Op{}(value, static_cast<Wider<Acc>>(operand));
        const Wider<Acc> result = shape.exclusive ? value : next;
        out.want.push_back(C::result(static_cast<Acc>(result)));
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

  /// Periods of small numbers whose sum is 0, so that results have periods too.
  template <class C>
  struct Large : Operands {
    using T = typename C::T;
    static constexpr std::int64_t kPeriod = 127;
    struct Forms {
      ClosedForm<T> in, out;
      explicit Forms(const TestShape& shape) : in{small_numbers<T>(kPeriod)} {
        typename C::Acc sum = 0, running = initial(shape);
        for (const T x : in.first) sum += x;
        in.first.back() = static_cast<T>(in.first.back() - sum);
        for (const T x : in.first) {
          const typename C::Acc next = running + x;
          out.first.push_back(C::result(shape.exclusive ? running : next));
          running = next;
        }
      }
    };
    TestShape shape;
    Forms forms;
    std::optional<LargeOperand<T>> in, out;

    Large(Context& ctx, const TestShape& s, const Inputs&) : Operands(ctx), shape(s), forms(s) {
      if (!s.in_place) in.emplace(*this, s.n, forms.in);
      out.emplace(*this, s.n, s.in_place ? &forms.in : nullptr, forms.out);
    }
    typename C::Args args() {
      return {in ? in->data() : out->data(), shape.n, out->data(), shape.exclusive, initial(shape)};
    }
    Verdict check(double) { return {}; }
    static typename C::Acc initial(const TestShape& shape) { return shape.with_init ? 5 : 0; }
  };

  static std::string variant(const TestShape& s) {
    return fmt::format("{}{}{}{}", s.exclusive ? "exclusive" : "inclusive", s.with_init ? " init" : "",
                       s.in_place ? " in place" : "", s.skewed ? " skewed" : "");
  }
  static Plan plan(Coverage coverage, std::uint64_t seed) {
    std::vector<ArrayVariant<TestShape>> variants;
    for (const auto& [in_place, skewed] : {std::pair{false, false}, {false, true}, {true, false}}) {
      for (const bool with_init : {false, true}) {
        for (const bool exclusive : {false, true}) {
          const TestShape shape{{0, exclusive, in_place, with_init}, skewed};
          variants.push_back({shape, variant(shape)});
        }
      }
    }
    return array_plan<Contract>(coverage, seed, variants, 2);
  }
  static Trial draw(CaseId id, Draws& draws, std::int64_t elements) {
    TestShape shape{{draws.size(1, elements), draws.one_in(2), draws.one_in(4), draws.one_in(4)}};
    const Inputs inputs{Values::exact, draws.bits(), draw_offset(id, draws)};
    shape.skewed = draws.one_in(8) && !shape.in_place;
    return {shape, inputs, shape.n, variant(shape)};
  }
  static std::vector<Trial> benchmarks(CaseId, std::int64_t n, std::uint64_t seed) {
    return {{TestShape{{n}}, {Values::exact, seed, 0}, n, "inclusive"}};
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
