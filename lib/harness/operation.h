#pragma once
// An operation with its types erased, for the tests, the benchmark and the command line, which walk all
// operations alike. Authors of operations do not see this: they write a contract (lib/ops/reduce.h is the
// model) and end its .cpp with REGISTER_OPERATION.

#include <any>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/harness/compare.h"
#include "lib/core/counted.h"
#include "tandem/error.h"
#include "lib/harness/random.h"
#include "lib/core/registry.h"

namespace tandem {

/// What a call must at least do: the denominators of the roofline.
struct Work {
  double bytes;       // that must move between memory and processor
  double operations;  // applications of the operator; floating-point operations where Bound::flops holds
};
/// Which measured rate bounds an operation: a bandwidth, or that of fused multiply-adds of its type.
enum class Bound { read, copy, flops };

/// How much to test. `brief` is for slow tools: every implementation × case on a few sizes. `quick` covers
/// every implementation × case on sizes around every tile edge; `full` is the product of all axes; `huge`
/// goes past 2^31 elements, with one case.
enum class Extent { brief, quick, full, huge };

struct Inputs {
  Values values = Values::exact;
  std::uint64_t seed = 1;
  int offset = 0;                        // elements between an aligned address and the first element
  std::span<const std::byte> data = {};  // the user's own elements instead of random ones
};

/// The elements that `inputs` stand for.
template <class T>
void fill(std::span<T> out, OperatorId op, const Inputs& inputs) {
  if (inputs.data.empty())
    fill_random(out, op, inputs.values, inputs.seed);
  else
    std::memcpy(out.data(), inputs.data.data(), out.size_bytes());
}

/// One thing to run: a shape of the contract and its data.
struct Trial {
  std::any shape;
  Inputs inputs;
  std::int64_t n;            // what --n asks for, and what .depth is given
  std::string variant;       // "inclusive", empty where the operation has one form
  std::string extents = {};  // "1024x2048", empty where n says it all
  TANDEM_API std::string str() const;
};

/// A trial made real in a context: inputs, poisoned outputs and the reference.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual const void* args() = 0;
  /// Restores inputs and poisons outputs.
  virtual void reset() = 0;
  /// Outputs against the reference, guard zones, inputs unchanged. `depth`: see Facts.
  virtual Verdict check(double depth) = 0;
};

class TANDEM_API Operation {
 public:
  virtual ~Operation() = default;
  std::string name, meaning;
  Bound bound = Bound::copy;
  std::vector<CaseId> cases;
  std::string extents;  // what a shape consists of, "rows x cols"; empty where it is n elements
  std::vector<std::int64_t> bench_sizes = {1 << 16, 1 << 20, 1 << 24, 1 << 26};
  std::int64_t executor_size = 10007;  // the largest n that the executor is given beside timed rows

  /// What is meant where no type is named: f32, or the first type of an operation that does not take it.
  Type default_type() const;

  virtual std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed) const = 0;
  /// What to time for `n` elements: a trial for each variant.
  virtual std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) const = 0;
  /// What to time for a shape given extent by extent. InvalidArgument where the operation takes others.
  virtual std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> extents,
                                        std::uint64_t seed) const = 0;
  virtual Work work(CaseId id, const Trial& trial) const = 0;
  /// The contract's Shape inside a trial, as `refusal` and `choose` take it.
  virtual const void* shape(const Trial& trial) const = 0;
  virtual std::unique_ptr<Problem> make(Context& ctx, int case_index, const Trial& trial) const = 0;
  /// What an implementation with a `counting` launcher costs on this shape.
  virtual Complexity complexity(const Implementation& implementation, Context& ctx,
                                const Trial& trial) const = 0;
};

/// All operations by name.
TANDEM_API const std::vector<std::unique_ptr<Operation>>& operations();
/// InvalidArgument lists the known names.
TANDEM_API const Operation& operation(std::string_view name);

/// Runs an implementation on a problem and judges it. Anything thrown is a wrong result with its message.
TANDEM_API Verdict check(const Implementation& implementation, int case_index, Problem& problem, Context& ctx,
                         std::int64_t n);

namespace detail {
TANDEM_API bool add(std::unique_ptr<Operation> operation);

[[noreturn]] TANDEM_API void refuse_extents(const Operation& operation, std::size_t given);

/// The contract's Data<C> behind the Problem interface.
template <class Contract, class C, template <class> class Data>
class ProblemOf : public Problem {
 public:
  ProblemOf(Context& ctx, const Trial& trial)
      : data_(ctx, std::any_cast<const typename Contract::Shape&>(trial.shape), trial.inputs) {}
  const void* args() override { return &(args_ = data_.args()); }
  void reset() override { data_.reset(); }
  Verdict check(double depth) override { return data_.check(depth); }

 private:
  Data<C> data_;
  typename C::Args args_{};
};

template <class Contract, template <class> class Data>
class OperationOf : public Operation {
 public:
  OperationOf() {
    name = Contract::name;
    meaning = Contract::meaning;
    bound = Contract::bound;
    if constexpr (requires { Contract::extents; }) {
      extents = Contract::extents;
      bench_sizes = Contract::bench_sizes();
      executor_size = Contract::executor_size;
    }
    Contract::Cases::for_each([this]<class C>() {
      cases.push_back(C::id);
      makers_.push_back([](Context& ctx, const Trial& trial) -> std::unique_ptr<Problem> {
        return std::make_unique<ProblemOf<Contract, C, Data>>(ctx, trial);
      });
    });
  }
  std::vector<Trial> tests(CaseId id, Extent extent, std::uint64_t seed) const override {
    return Contract::tests(id, extent, seed);
  }
  std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) const override {
    return Contract::benchmarks(id, n, seed);
  }
  std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> given,
                                std::uint64_t seed) const override {
    if constexpr (requires { Contract::extents; }) {
      if (static_cast<long>(given.size()) == Contract::kExtents) return Contract::benchmarks(id, given, seed);
    } else if (given.size() == 1) {
      return Contract::benchmarks(id, given[0], seed);
    }
    refuse_extents(*this, given.size());
  }
  Work work(CaseId id, const Trial& trial) const override {
    return Contract::work(id, std::any_cast<const typename Contract::Shape&>(trial.shape));
  }
  const void* shape(const Trial& trial) const override {
    return &std::any_cast<const typename Contract::Shape&>(trial.shape);
  }
  std::unique_ptr<Problem> make(Context& ctx, int case_index, const Trial& trial) const override {
    return makers_[static_cast<std::size_t>(case_index)](ctx, trial);
  }
  Complexity complexity(const Implementation& implementation, Context& ctx,
                        const Trial& trial) const override {
    if constexpr (requires { typename Contract::Counting; })
      return Contract::count(implementation, ctx,
                             std::any_cast<const typename Contract::Shape&>(trial.shape));
    throw Unavailable(name + ": no counting case");
  }

 private:
  std::vector<std::unique_ptr<Problem> (*)(Context&, const Trial&)> makers_;
};
}  // namespace detail

#define REGISTER_OPERATION(Contract, Data)                 \
  [[maybe_unused]] static const bool contract_registered = \
      ::tandem::detail::add(std::make_unique<::tandem::detail::OperationOf<Contract, Data>>());

/// The sizes every one-dimensional operation is tested on: 0, 1, both sides of warp, block and tile, primes.
TANDEM_API std::vector<std::int64_t> test_sizes(Extent extent);

/// Tests of an operation over one array: sizes × variants of the shape × value classes × offsets. `quick`
/// rotates through the last three axes, so that every pair of values is met; `full` is the product up to
/// 20,000 elements.
template <class Shape>
std::vector<Trial> array_tests(CaseId id, Extent extent, std::uint64_t seed,
                               const std::vector<std::pair<Shape, std::string>>& variants) {
  constexpr int kOffsets[] = {0, 1, 3, 4, 7};
  constexpr std::int64_t kProductUpTo = 20000;
  std::vector<Trial> trials;
  std::uint64_t turn =
      random_bits(seed, static_cast<std::uint64_t>(id.type) * 16 + static_cast<std::uint64_t>(id.op));
  const auto add = [&](std::int64_t n, std::size_t variant, Values values, int offset) {
    Shape shape = variants[variant].first;
    shape.n = n;
    trials.push_back({shape, {values, seed + trials.size(), offset}, n, variants[variant].second});
  };
  for (const std::int64_t n : test_sizes(extent)) {
    if (extent == Extent::full && n <= kProductUpTo) {
      for (std::size_t v = 0; v < variants.size(); ++v) {
        for (int values = 0; values < kValuesCount; ++values)
          add(n, v, static_cast<Values>(values), kOffsets[turn++ % 5]);
      }
      continue;
    }
    // Long sums of reals prove nothing (their bound is wide), so large sizes keep to exact values.
    for (int repeat = 0; repeat < (variants.size() > 1 && extent != Extent::huge ? 2 : 1); ++repeat, ++turn) {
      const Values values = n > kProductUpTo ? Values::exact : static_cast<Values>(turn % kValuesCount);
      add(n, turn % variants.size(), values, kOffsets[turn % 5]);
    }
  }
  return trials;
}

}  // namespace tandem
