#pragma once
// An operation as the tests, the benchmark and the command see it: its types are erased, and all operations
// are walked alike. An operation's harness (lib/harness/reduce.cpp is the shortest) describes tests, work and
// one problem, and ends in REGISTER_OPERATION; it writes no virtual function.

#include <algorithm>
#include <any>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/core/call.h"
#include "lib/core/host_memory.h"
#include "lib/harness/axes.h"
#include "lib/harness/problem.h"
#include "lib/harness/test_data.h"

namespace tandem {

/// An extent of a shape, and the least value of it with which there is something to time.
struct Extent {
  const char* name;
  std::int64_t least = 1;
};
inline constexpr Extent kOneExtent[] = {{"n"}};

/// What a call must at least do: the denominators of the roofline.
struct Work {
  double bytes;       // that must move between memory and processor
  double operations;  // applications of the operator; floating-point operations where Bound::flops holds
  int reads = 1;      // words read for each that is written, 1 to 4, where Bound::copy holds
};
/// Which measured rate bounds an operation: a bandwidth, or that of fused multiply-adds of its type.
enum class Bound { read, copy, flops };

/// How much to test. `brief` is for slow tools: every implementation × case on a few sizes. `quick` covers
/// every implementation × case on sizes around every tile edge; `full` is the product of all axes; `huge`
/// goes past 2^31 and 2^32 elements and bytes, with a few cases.
enum class Coverage { brief, quick, full, huge };
TANDEM_API Coverage parse_coverage(std::string_view text);

/// What data a trial has.
struct Inputs {
  Values values = Values::exact;
  std::uint64_t seed = 1;
  int offset = 0;                        // elements between an aligned address and the first element
  std::span<const std::byte> data = {};  // the user's own elements instead of random ones
  bool closed_form = false;              // every element follows from its index (closed_form.h)
};

/// The elements that `inputs` stand for.
template <class T>
void fill(std::span<T> out, OperatorId op, const Inputs& inputs) {
  if (inputs.data.empty())
    fill_random(out, op, inputs.values, inputs.seed);
  else
    std::memcpy(out.data(), inputs.data.data(), out.size_bytes());
}

/// One thing to run: a shape and its data.
struct Trial {
  std::any shape;  // the contract's Shape, or the harness's struct derived from it
  Inputs inputs;
  std::int64_t n;            // what --n asks for, and what .depth is given
  std::string variant;       // "inclusive", empty where the operation has one form
  std::string extents = {};  // "1024x2048", empty where n says it all
  std::string input = {};    // a kind of input on which paths may lose digits ("laplacian"), empty for others
  Point point = {};          // of the operation's axes; empty beside them
  TANDEM_API std::string str() const;
};

/// One of an operation's cases with a trial of it.
struct Drawn {
  int case_index;
  Trial trial;
};

/// The trials of an operation, by case of its contract, and the axes that they vary.
struct Plan {
  Axes axes;
  std::vector<std::vector<Trial>> trials;
};

/// A trial made real in a context: inputs, poisoned outputs and the reference.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual const void* args() = 0;
  /// Restores inputs and poisons outputs.
  virtual void reset() = 0;
  /// The same, without writing anew what a call must not change.
  virtual void again() = 0;
  /// Outputs against the reference, guard zones, inputs unchanged. `depth`: see Facts.
  virtual Verdict check(double depth) = 0;
  /// A number that tells results apart that differ in any bit.
  virtual std::uint64_t bits() = 0;
  /// What a caller copies around a call whose data lies in the CPU's memory.
  virtual std::vector<Transfer> transfers() = 0;
};

class TANDEM_API Operation {
 public:
  virtual ~Operation() = default;
  std::string name, meaning;
  Bound bound = Bound::copy;
  std::vector<CaseId> cases;
  std::string extents;  // what a shape consists of, "rows x cols"; empty where it is n elements
  std::span<const Extent> each_extent = kOneExtent;
  std::vector<std::int64_t> bench_sizes = {1 << 16, 1 << 20, 1 << 24, 1 << 26};
  std::int64_t executor_size = 10007;  // the largest n that the executor is given beside timed rows

  /// What is meant where no type is named: f32, or the first type of an operation that does not take it.
  Type default_type() const;

  virtual std::vector<Trial> tests(CaseId id, Coverage coverage, std::uint64_t seed) const = 0;
  /// What the trials of all cases together vary.
  virtual Axes axes(Coverage coverage) const = 0;
  /// The shape that `n` elements stand for, extent by extent.
  virtual std::vector<std::int64_t> extents_of(std::int64_t n) const = 0;
  /// What to time for `n` elements: a trial for each variant. Like the next.
  virtual std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) const = 0;
  /// What to time for a shape given extent by extent. InvalidArgument where the operation takes others, or
  /// their product leaves 62 bits.
  virtual std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> extents,
                                        std::uint64_t seed) const = 0;
  /// What a caller may have, drawn at random: any case that users can name, sizes spread evenly over their
  /// logarithms up to arrays of `largest` bytes, any form and alignment. The same for the same number.
  Drawn draw(std::uint64_t number, std::int64_t largest) const;
  /// The automatic choice of the operation's own call. Throws Unavailable.
  virtual Choice choose(Context& ctx, int case_index, const Trial& trial) const = 0;
  /// Whether the automatic choice may run an implementation on a trial: it takes the call and suits its shape.
  virtual bool choosable(const Implementation& implementation, CaseId id, const Trial& trial) const = 0;
  /// What a choice is looked up by: names of the features that the operation has, those of a trial, and its
  /// variant.
  std::vector<std::string_view> feature_names;
  virtual Features features(const Trial& trial) const = 0;
  virtual std::string_view variant(const Trial& trial) const = 0;
  /// Trials of each variant with about these features; none where no shape has them. The first of a variant is the usual one, others
  /// have contents that are hard for some paths.
  virtual std::vector<Trial> benchmarks_at(CaseId id, const Features& features, std::uint64_t seed) const = 0;
  /// Throws OutOfMemory where the host has not what make() and the checks of a trial take for a context of
  /// this place. O(1).
  void require_memory(CaseId id, const Trial& trial, Place place) const;
  virtual Work work(CaseId id, const Trial& trial) const = 0;
  /// About the bytes that a trial takes at their peak, on the host and the device together.
  virtual double memory(CaseId id, const Trial& trial) const = 0;
  /// The contract's Shape inside a trial, as Implementation::refusal takes it.
  virtual const void* shape(const Trial& trial) const = 0;
  virtual std::unique_ptr<Problem> make(Context& ctx, int case_index, const Trial& trial) const = 0;
  /// What an implementation with a `counting` launcher costs on this shape.
  virtual Complexity complexity(const Implementation& implementation, Context& ctx,
                                const Trial& trial) const = 0;

 protected:
  virtual Trial draw_case(CaseId id, Draws& draws, std::int64_t largest) const = 0;
};

/// All operations by name.
TANDEM_API const std::vector<std::unique_ptr<Operation>>& operations();
/// InvalidArgument lists the known names.
TANDEM_API const Operation& operation(std::string_view name);

/// Runs an implementation on a problem and judges it. Anything thrown is a wrong result with its message.
TANDEM_API Verdict check(const Implementation& implementation, int case_index, Problem& problem, Context& ctx,
                         std::int64_t n);

/// Why an implementation is not run on a trial: it cannot take it, or it does not suit the shape and the
/// trial is so large that this would take minutes. Empty when it is.
TANDEM_API std::string why_not(const Operation& op, const Implementation& implementation, CaseId id,
                               const Trial& trial);

/// Judges one problem; `check` unless a caller watches more (races on the executor).
using Judge =
    std::function<Verdict(const Implementation&, int case_index, Problem&, Context&, std::int64_t n)>;

/// Whether a wrong result is one that the implementation does not promise to be right: wrong by its digits alone, on an
/// input on which it says that it loses some.
TANDEM_API bool outside_promise(const Implementation& implementation, const Trial& trial,
                                const Verdict& verdict);

/// What became of one implementation on one trial.
struct Outcome {
  const Implementation& implementation;
  CaseId id;
  const Trial& trial;
  std::string refusal;  // why it was not run; empty when it was
  Verdict verdict;
  bool outside_promise = false;
  double seconds = 0;
};

/// The one loop of all tests: refuse, make, check. Every implementation on every trial of a case, in a
/// context of their place; what they share of a trial is made once. `visit` may return false to stop.
TANDEM_API void for_each_trial(const Operation& op, int case_index, const std::vector<Trial>& trials,
                               std::span<const Implementation* const> implementations, Context& ctx,
                               const Judge& judge, const std::function<bool(const Outcome&)>& visit);

/// Elements between an aligned address and the first element: none in every second draw, else fewer than
/// 16 bytes hold.
TANDEM_API int draw_offset(CaseId id, Draws& draws);

namespace detail {
TANDEM_API bool add(std::unique_ptr<Operation> operation);

/// Throws InvalidArgument: another number of extents, one below its least, or a product beyond 2^62.
TANDEM_API void require_extents(const Operation& operation, std::span<const std::int64_t> given);

/// What an operation's harness describes, behind Operation. Harness: `Contract`, `TestShape` (the contract's
/// Shape, or a struct derived from it that says more about the data), `Problem<C>`, bound, plan (the trials),
/// benchmarks, work. Optional: Large<C>, a problem whose data have a closed form, and has_large(),
/// where not every case has one; count(), needed where the
/// contract has a Counting case; memory(), where a trial takes other bytes than a few times those of work();
/// draw(), where a caller's shapes differ in more than extents and the variants of benchmarks(); as_called(), the
/// shape that the operation's own call has, where it is not what the trial says; extents_with(), where the contract
/// has several features: the extents of a shape that has them, none where no shape has; bench_sizes(),
/// the values of --n that compare takes by itself, where they are not those of every Operation; and for shapes of
/// several extents bench_sizes() and all of: kExtents, extents_of() (the shape that such a value stands for) and
/// executor_size; its benchmarks() then takes a span of extents.
template <class Harness>
class OperationOf : public Operation {
  using Contract = typename Harness::Contract;
  using Shape = typename Harness::TestShape;

  template <class C>
  static constexpr bool has_large() {
    if constexpr (requires { typename Harness::template Large<C>; } && has_form<typename C::T>) {
      if constexpr (requires { Harness::has_large(C::id); })
        return Harness::has_large(C::id);
      else
        return true;
    }
    return false;
  }

  template <class OfCase, class C>
  class ProblemOf : public Problem {
   public:
    ProblemOf(Context& ctx, const Trial& trial)
        : problem_(ctx, std::any_cast<const Shape&>(trial.shape), trial.inputs) {}
    const void* args() override { return &(args_ = problem_.args()); }
    void reset() override { problem_.reset(); }
    void again() override { problem_.again(); }
    std::uint64_t bits() override { return problem_.bits(); }
    std::vector<Transfer> transfers() override { return problem_.transfers(); }
    Verdict check(double depth) override {
      Verdict verdict = problem_.check(depth);
      verdict.include(problem_.check_operands());
      return verdict;
    }

   private:
    OfCase problem_;
    typename C::Args args_{};
  };

  template <class C>
  static std::unique_ptr<Problem> make_problem(Context& ctx, const Trial& trial) {
    if constexpr (has_large<C>()) {
      if (trial.inputs.closed_form)
        return std::make_unique<ProblemOf<typename Harness::template Large<C>, C>>(ctx, trial);
    }
    return std::make_unique<ProblemOf<typename Harness::template Problem<C>, C>>(ctx, trial);
  }

 public:
  OperationOf() {
    name = Contract::name;
    meaning = Contract::meaning;
    bound = Harness::bound;
    if constexpr (requires { Harness::kExtents; }) {
      each_extent = Harness::kExtents;
      for (const Extent& e : each_extent) extents += (extents.empty() ? "" : " x ") + std::string(e.name);
      executor_size = Harness::executor_size;
    }
    if constexpr (requires { Harness::bench_sizes(); }) bench_sizes = Harness::bench_sizes();
    if constexpr (requires { Contract::features; })
      feature_names.assign(Contract::features.begin(), Contract::features.end());
    else
      feature_names = {"n"};
    Contract::Cases::for_each([this]<class C>() {
      cases.push_back(C::id);
      choosers_.push_back(choice_for<Contract, C>);
      makers_.push_back(make_problem<C>);
    });
  }
  std::vector<Trial> tests(CaseId id, Coverage coverage, std::uint64_t seed) const override {
    const auto c = static_cast<std::size_t>(std::find(cases.begin(), cases.end(), id) - cases.begin());
    return plan(coverage, seed)->trials.at(c);
  }
  Axes axes(Coverage coverage) const override { return plan(coverage, 1)->axes; }
  std::vector<std::int64_t> extents_of(std::int64_t n) const override {
    if constexpr (requires { Harness::kExtents; })
      return Harness::extents_of(n);
    else
      return {n};
  }
  std::vector<Trial> benchmarks(CaseId id, std::int64_t n, std::uint64_t seed) const override {
    return benchmarks(id, extents_of(n), seed);
  }
  std::vector<Trial> benchmarks(CaseId id, std::span<const std::int64_t> given,
                                std::uint64_t seed) const override {
    require_extents(*this, given);
    if constexpr (requires { Harness::kExtents; })
      return Harness::benchmarks(id, given, seed);
    else
      return Harness::benchmarks(id, given[0], seed);
  }
  Work work(CaseId id, const Trial& trial) const override {
    return Harness::work(id, std::any_cast<const Shape&>(trial.shape));
  }
  const void* shape(const Trial& trial) const override {
    return static_cast<const typename Contract::Shape*>(&std::any_cast<const Shape&>(trial.shape));
  }
  Choice choose(Context& ctx, int case_index, const Trial& trial) const override {
    return choosers_[static_cast<std::size_t>(case_index)](ctx, as_called(trial), {});
  }
  bool choosable(const Implementation& i, CaseId id, const Trial& trial) const override {
    typename Contract::Shape shape = as_called(trial);
    if constexpr (requires { Contract::automatic(shape); }) shape = Contract::automatic(shape);
    return i.refusal(&shape, id).empty() && i.suited(&shape);
  }
  Features features(const Trial& trial) const override { return tandem::features(as_called(trial)); }
  std::string_view variant(const Trial& trial) const override {
    if constexpr (requires { Contract::variants; })
      return Contract::variants[as_called(trial).variant()];
    else
      return "";
  }
  std::vector<Trial> benchmarks_at(CaseId id, const Features& wanted, std::uint64_t seed) const override {
    if constexpr (requires { Harness::usual_and_hard(id, wanted, seed); }) {
      return Harness::usual_and_hard(id, wanted, seed);
    } else if constexpr (requires { Harness::extents_with(wanted); }) {
      const std::vector<std::int64_t> extents = Harness::extents_with(wanted);
      if (extents.empty()) return {};
      if constexpr (requires { Harness::each_variant(extents, seed); })
        return Harness::each_variant(extents, seed);
      else
        return benchmarks(id, extents, seed);
    } else {
      return benchmarks(id, wanted[0], seed);
    }
  }
  std::unique_ptr<Problem> make(Context& ctx, int case_index, const Trial& trial) const override {
    require_memory(cases[static_cast<std::size_t>(case_index)], trial, ctx.place());
    return makers_[static_cast<std::size_t>(case_index)](ctx, trial);
  }
  Complexity complexity(const Implementation& implementation, Context& ctx,
                        const Trial& trial) const override {
    if constexpr (requires { typename Contract::Counting; })
      return Harness::count(implementation, ctx, std::any_cast<const Shape&>(trial.shape));
    throw Unavailable(name + ": no counting case");
  }
  double memory(CaseId id, const Trial& trial) const override {
    const Shape& shape = std::any_cast<const Shape&>(trial.shape);
    // Values, the buffers of a context that computes on the host, results, and what they are compared with.
    constexpr double kCopies = 3;
    if constexpr (requires { Harness::memory(id, shape); })
      return Harness::memory(id, shape);
    else
      return kCopies * Harness::work(id, shape).bytes;
  }

 protected:
  Trial draw_case(CaseId id, Draws& draws, std::int64_t largest) const override {
    const std::int64_t elements = largest / static_cast<std::int64_t>(size_of(id.type));
    if constexpr (requires { Harness::draw(id, draws, elements); }) {
      return Harness::draw(id, draws, elements);
    } else {
      std::vector<std::int64_t> extents;
      std::int64_t left = elements;
      for (const Extent& extent : each_extent) {
        extents.push_back(draws.size(std::max<std::int64_t>(1, extent.least), left));
        left /= extents.back();
      }
      std::vector<Trial> trials = benchmarks(id, extents, draws.bits());
      Trial trial = trials[static_cast<std::size_t>(draws.below(static_cast<std::int64_t>(trials.size())))];
      trial.inputs.offset = draw_offset(id, draws);
      return trial;
    }
  }

 private:
  static typename Contract::Shape as_called(const Trial& trial) {
    const Shape& shape = std::any_cast<const Shape&>(trial.shape);
    if constexpr (requires { Harness::as_called(shape); })
      return Harness::as_called(shape);
    else
      return shape;
  }

  /// Kept until another is asked for: it takes longer to make than many cases take to check.
  std::shared_ptr<const Plan> plan(Coverage coverage, std::uint64_t seed) const {
    const std::lock_guard lock(plan_mutex_);
    if (!plan_ || coverage != plan_coverage_ || seed != plan_seed_) {
      plan_ = std::make_shared<const Plan>(Harness::plan(coverage, seed));
      plan_coverage_ = coverage;
      plan_seed_ = seed;
    }
    return plan_;
  }

  mutable std::mutex plan_mutex_;
  mutable std::shared_ptr<const Plan> plan_;
  mutable Coverage plan_coverage_{};
  mutable std::uint64_t plan_seed_ = 0;
  std::vector<Choice (*)(Context&, typename Contract::Shape, const Options&)> choosers_;
  std::vector<std::unique_ptr<Problem> (*)(Context&, const Trial&)> makers_;
};
}  // namespace detail

#define REGISTER_OPERATION(Harness)                       \
  [[maybe_unused]] static const bool harness_registered = \
      ::tandem::detail::add(std::make_unique<::tandem::detail::OperationOf<Harness>>());

// --- what several operations' tests need

/// The cases of a contract, in their order.
template <class Contract>
std::vector<CaseId> case_ids() {
  std::vector<CaseId> ids;
  Contract::Cases::for_each([&]<class C>() { ids.push_back(C::id); });
  return ids;
}
/// As the values of an axis.
TANDEM_API std::vector<std::string> names(const std::vector<CaseId>& ids);
/// The first value classes, as the values of an axis.
TANDEM_API std::vector<std::string> value_names(int count = kValuesCount);

/// Bytes between an address aligned to 64 and the first element: every residue of 16, and what only wider
/// vectors tell apart.
inline constexpr int kOffsets[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32};
TANDEM_API std::vector<std::string> offset_names();
/// Whether elements of this type can start at one of these offsets.
inline bool aligned(CaseId id, int offset) {
  return static_cast<std::size_t>(kOffsets[offset]) % size_of(id.type) == 0;
}
/// The same in elements, as Inputs takes it.
inline int offset_in_elements(CaseId id, int offset) {
  return kOffsets[offset] / static_cast<int>(size_of(id.type));
}

/// The sizes every one-dimensional operation is tested on: 0, 1, both sides of warp, block and tile, primes,
/// and some above which the steps on the CPU start threads, or write past the cache.
TANDEM_API std::vector<std::int64_t> test_sizes(Coverage coverage);

/// A form of an operation over one array.
template <class Shape>
struct ArrayVariant {
  Shape shape;
  std::string name;
  bool (*of)(CaseId) = [](CaseId) { return true; };  // the cases that have it
};

/// The cases that go past 2^32 elements where there are several operators.
constexpr bool sums_whole_numbers(CaseId id) {
  constexpr Type kWhole[] = {Type::i8, Type::i32, Type::i64, Type::u32, Type::u64, Type::u8};
  return id.op == OperatorId::plus && std::ranges::find(kWhole, id.type) != std::end(kWhole);
}

/// Tests of an operation over one array: case × size × variant × value class × offset. `quick` meets all pairs
/// of them, and each case with each size `repeats` times; `full` is the product up to 20,000 elements.
template <class Contract, class Shape>
Plan array_plan(Coverage coverage, std::uint64_t seed, const std::vector<ArrayVariant<Shape>>& variants,
                int repeats) {
  constexpr std::int64_t kAllValuesUpTo = 20000, kAllCasesUpTo = 50000, kMostOffsetsUpTo = 1 << 20;
  enum { kCase, kSize, kVariant, kValues, kOffset, kAxes };
  const std::vector<CaseId> ids = case_ids<Contract>();
  const std::vector<std::int64_t> sizes = test_sizes(coverage);
  Plan plan;
  plan.trials.resize(ids.size());
  if (coverage == Coverage::huge) {
    // Elements of one byte, of four where a sum of them is exact, and of eight past 2^32 bytes.
    for (std::size_t c = 0; c < ids.size(); ++c) {
      const CaseId id = ids[c];
      if (!sums_whole_numbers(id)) continue;
      std::vector<std::int64_t> all = sizes;
      if (id.type == Type::i64) all = {(std::int64_t{1} << 29) + 5};
      for (const std::int64_t n : all) {
        for (const auto& variant : variants) {
          if (!variant.of(id)) continue;
          Shape shape = variant.shape;
          shape.n = n;
          Trial trial{shape, {Values::exact, seed, 0}, n, variant.name};
          trial.inputs.closed_form = true;
          plan.trials[c].push_back(trial);
        }
      }
    }
    return plan;
  }
  std::vector<std::string> size_names, variant_names;
  for (const std::int64_t n : sizes) size_names.push_back(std::to_string(n));
  for (const auto& variant : variants) variant_names.push_back(variant.name.empty() ? "plain" : variant.name);
  for (auto& [axis, values] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{{"case", names(ids)},
                                                                     {"size", size_names},
                                                                     {"variant", variant_names},
                                                                     {"values", value_names()},
                                                                     {"offset", offset_names()}})
    plan.axes.add(axis, values);

  const bool full = coverage == Coverage::full;
  const auto id = [&](int c) { return ids[static_cast<std::size_t>(c)]; };
  const auto size = [&](int s) { return sizes[static_cast<std::size_t>(s)]; };
  plan.axes.exclude(kCase, kVariant,
                    [&](int c, int v) { return !variants[static_cast<std::size_t>(v)].of(id(c)); });
  plan.axes.exclude(kCase, kOffset, [&](int c, int o) { return !aligned(id(c), o); });
  // Long sums of reals prove nothing (their bound is wide), so large sizes keep to exact values; and where the
  // executor takes long, to one operator, then to one type and a few forms.
  plan.axes.exclude(kSize, kValues, [&](int s, int v) {
    return size(s) > kAllValuesUpTo && static_cast<Values>(v) != Values::exact;
  });
  plan.axes.exclude(kCase, kSize, [&](int c, int s) {
    if (full || size(s) <= kAllCasesUpTo) return false;
    const bool sum = id(c).op == OperatorId::plus || id(c).op == kConcatenate;
    return !sum || (size(s) > kMostOffsetsUpTo && id(c).type != Type::f64);
  });
  plan.axes.exclude(kSize, kOffset,
                    [&](int s, int o) { return !full && size(s) > kMostOffsetsUpTo && kOffsets[o] != 8; });
  plan.axes.exclude(kSize, kVariant, [&](int s, int v) {
    return !full && size(s) > kMostOffsetsUpTo && v > 0 && v + 1 < static_cast<int>(variants.size());
  });

  plan.axes.close();
  Covering covering(plan.axes, seed);
  const auto add = [&](const Point& given) {
    const Point point = covering.next(given);
    if (point.empty()) return;
    const int c = point[kCase];
    const auto& variant = variants[static_cast<std::size_t>(point[kVariant])];
    auto& trials = plan.trials[static_cast<std::size_t>(c)];
    Shape shape = variant.shape;
    shape.n = size(point[kSize]);
    trials.push_back({shape,
                      {static_cast<Values>(point[kValues]), seed + trials.size(),
                       offset_in_elements(id(c), point[kOffset])},
                      shape.n,
                      variant.name});
    trials.back().point = point;
  };
  for (int c = 0; c < static_cast<int>(ids.size()); ++c) {
    for (int s = 0; s < static_cast<int>(sizes.size()); ++s) {
      if (full && size(s) <= kAllValuesUpTo) {
        for (int v = 0; v < static_cast<int>(variants.size()); ++v) {
          for (int values = 0; values < kValuesCount; ++values) add({c, s, v, values, -1});
        }
      } else {
        for (int i = 0; i < (size(s) > kAllValuesUpTo ? 1 : repeats); ++i) add({c, s, -1, -1, -1});
      }
    }
  }
  while (const auto open = covering.open()) add(*open);
  return plan;
}

/// What an algorithm over arrays costs, counted: its counting case run on n ones. `args(in, out)` makes the
/// arguments.
template <class Counting, class MakeArgs>
Complexity count_over_arrays(const Implementation& implementation, Context& ctx, std::int64_t n,
                             std::int64_t results, MakeArgs args) {
  require_host_memory("counting", 4.0 * static_cast<double>(n) * sizeof(Counted));
  const Array<Counted> in(ctx, std::vector<Counted>(static_cast<std::size_t>(n), Counted(1)));
  Array<Counted> out(ctx, results);
  const typename Counting::Args a = args(in.data(), out.data());
  detail::take_applications();
  run_counting(implementation, &a, ctx);
  Complexity cost = detail::take_applications();
  for (const Counted& result : out) cost.steps = std::max<std::int64_t>(cost.steps, result.depth);
  return cost;
}

}  // namespace tandem
