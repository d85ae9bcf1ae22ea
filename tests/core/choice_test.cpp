// The automatic choice on machines that are not here: what was measured there decides, by variant, type and
// size; what was not measured is chosen by rule, and `why` says which of both it was.

#include "lib/core/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "lib/core/backend.h"
#include "lib/core/context_impl.h"
#include "lib/harness/operation.h"
#include "lib/ops/gemm/contract.h"
#include "lib/ops/intersect/contract.h"
#include "lib/ops/reduce/contract.h"
#include "lib/ops/scan/contract.h"
#include "lib/ops/select/contract.h"
#include "lib/ops/sort/contract.h"
#include "lib/ops/spmm/contract.h"
#include "lib/ops/spmv/contract.h"
#include "lib/ops/sptrsv/contract.h"
#include "lib/ops/transform/contract.h"
#include "lib/ops/tridiagonal/contract.h"
#include "tandem/tandem.h"
#include "tests/support.h"

namespace tandem {
namespace {

using namespace std::string_view_literals;

struct Row {
  std::string_view operation, variant;
  Place place;
  std::string_view machine, type;
  Features from;
  std::string_view implementations;
};
constexpr Row kTable[] = {
#include "lib/core/choice_table.inc"
};
constexpr const char* kUnknownCpu = "CPU that nobody measured, 3 threads";
constexpr const char* kUnknownGpu = "GPU that nobody measured";

/// A machine by another name. Nothing runs on it.
class NamedMachine : public Backend {
 public:
  NamedMachine(Place place, std::string_view name) : place_(place), name_(name) {}
  Place place() const override { return place_; }
  std::string description() const override { return name_; }
  int multiprocessors() const override { return 1; }
  std::size_t cache_bytes() const override { return 1; }
  void* allocate(std::size_t bytes) override { throw OutOfMemory(name_, bytes, 0); }
  void release(void*, std::size_t) noexcept override {}
  void copy(void*, const void*, std::size_t) override {}
  void fill(void*, int, std::size_t) override {}
  double seconds(const std::function<void()>&) override { return 0; }

 private:
  Place place_;
  std::string name_;
};
Context machine(Place place, std::string_view name) {
  unsetenv("TANDEM_USE");
  Context ctx = Context::host();
  ctx.impl().backend = std::make_shared<NamedMachine>(place, name);
  return ctx;
}

/// The choice for a call; a site of its own, so that no other test's is remembered.
Choice choice(const Context& ctx, std::string_view operation, std::string_view variant, CaseId id,
              const void* shape, const Features& features) {
  return choose({operation, id, variant, reserve_slots(1)}, shape, features, ctx, {});
}
Choice choice(const Context& ctx, CaseId id, const Reduce::Shape& shape) {
  return choice(ctx, "reduce", "", id, &shape, {shape.n});
}
/// A batch of each variant.
Tridiagonal::Shape batch(std::string_view variant, std::int64_t n) {
  const bool sides = variant.starts_with("interleaved");
  Tridiagonal::Shape shape{.systems = sides ? interleaved(n, 1000) : contiguous(n, 1000)};
  shape.list = variant.starts_with("list");
  shape.systems.pivot = variant.ends_with("pivot");
  shape.report = true;
  return shape;
}

/// The implementations of a row that can run here and, on the host, repeat their bits, fastest first.
std::vector<const Implementation*> available(const Row& row) {
  std::vector<const Implementation*> found;
  for (const std::string_view name : implementations_of(row.implementations)) {
    const auto all = matching(name);
    CHECK_MESSAGE(!all.empty(), name);
    if (!all.empty() && all[0]->unavailable().empty() && (all[0]->repeats || row.place == Place::device))
      found.push_back(all[0]);
  }
  return found;
}
/// The fastest implementation that the table names in the last region at or below these features, passing
/// over what is not in this build, takes no such call or does not suit it.
std::optional<std::string> measured(std::string_view machine, std::string_view operation,
                                    std::string_view variant, CaseId id, const void* shape,
                                    const Features& features) {
  std::optional<std::string> found;
  for (const Row& row : kTable) {  // ascending `from`
    if (row.machine != machine || row.operation != operation || row.type != name(id.type)) continue;
    if (!row.variant.empty() && row.variant != variant) continue;
    if (row.from[0] > features[0] || row.from[1] > features[1] || row.from[2] > features[2]) continue;
    for (const Implementation* i : available(row)) {
      if (!i->refusal(shape, id).empty() || !i->suited(shape)) continue;
      found = i->name;
      break;
    }
  }
  return found;
}

/// Whether the table speaks for calls of this type, or of one of its size, on this CPU or, without a name, on
/// any.
bool covered(std::string_view cpu, std::string_view operation, Type type, bool of_any_variant = false) {
  return std::any_of(std::begin(kTable), std::end(kTable), [&](const Row& row) {
    return row.place == Place::host && row.operation == operation && (cpu.empty() || row.machine == cpu) &&
           (!of_any_variant || row.variant.empty()) && size_of(parse_type(row.type)) == size_of(type) &&
           !available(row).empty();
  });
}

std::set<std::string_view> machines(Place place) {
  std::set<std::string_view> found;
  for (const Row& row : kTable) {
    if (row.place == place) found.insert(row.machine);
  }
  return found;
}

/// Whether `why` says that it was measured, and where.
bool says_measured(std::string_view why, std::string_view where) {
  return why == fmt::format("fastest that takes the call in the measurements on {}", where);
}
bool says_measured_elsewhere(std::string_view why) {
  const auto cpus = machines(Place::host);
  return std::any_of(cpus.begin(), cpus.end(), [&](std::string_view cpu) {
    return why == fmt::format("fastest that takes the call in the measurements on {}, not this CPU", cpu);
  });
}
bool says_unmeasured(std::string_view why, std::string_view operation, const Context& ctx) {
  return why == fmt::format("no measurement of {} on {} covers this call; {}", operation, ctx.description(),
                            ctx.place() == Place::device ? "a library first" : "the last step that takes it");
}

constexpr CaseId kAdd{Type::f32, OperatorId::plus};

}  // namespace

TEST_SUITE_BEGIN("choice");

TEST_CASE("every row of the table is chosen where it says, unless a call is not for it") {
  int chosen = 0;
  for (const Row& row : kTable) {
    if (available(row).empty()) continue;
    const Operation& op = operation(row.operation);
    const Context ctx = machine(row.place, row.machine);
    for (const CaseId id : op.cases) {
      if (name(id.type) != row.type) continue;
      for (const Trial& trial : op.benchmarks(id, 64, 1)) {
        if (!row.variant.empty() && trial.variant != row.variant) continue;
        for (const std::int64_t more : {0, 1}) {
          const Features at{row.from[0] + more, row.from[1] + more, row.from[2] + more};
          CAPTURE(fmt::format("{} {} {} at {}", row.machine, row.operation, id.str(), fmt::join(at, " ")));
          const auto want = measured(row.machine, row.operation, trial.variant, id, op.shape(trial), at);
          if (!want) continue;
          const Choice got = choice(ctx, row.operation, trial.variant, id, op.shape(trial), at);
          CHECK(got.implementation->name == *want);
          CHECK(says_measured(got.why, row.machine));
          ++chosen;
        }
      }
    }
  }
  MESSAGE(chosen, " choices");
#ifndef TANDEM_HAS_ONLY_SOME
  CHECK(chosen > 50);
#endif
}

TEST_CASE("a batch of systems is chosen by its layout") {
  std::set<std::pair<std::string_view, std::string_view>> asked;
  for (const Row& row : kTable) {
    if (row.operation != "tridiagonal" || available(row).empty()) continue;
    const Context ctx = machine(row.place, row.machine);
    const CaseId id{parse_type(row.type), OperatorId::none};
    for (const std::string_view variant : Tridiagonal::variants) {
      const Tridiagonal::Shape shape = batch(variant, row.from[0] + 100);
      CHECK(Tridiagonal::variants[shape.variant()] == variant);
      const auto want = measured(row.machine, "tridiagonal", variant, id, &shape, shape.features());
      if (!want) continue;
      const Choice got = choice(ctx, "tridiagonal", variant, id, &shape, shape.features());
      CHECK_MESSAGE(got.implementation->name == *want, variant, " on ", row.machine);
      asked.insert({row.machine, variant});
    }
  }
#ifndef TANDEM_HAS_ONLY_SOME
  CHECK(asked.size() >= 3);
#endif
  // What must exchange rows, and what differs in length, gets a path that takes it, whatever else was faster.
  for (const std::string_view variant : Tridiagonal::variants) {
    const Tridiagonal::Shape shape = batch(variant, 200);
    for (const Type type : {Type::f32, Type::f64}) {
      const CaseId id{type, OperatorId::none};
      const Choice got = choice(Context::host(), "tridiagonal", variant, id, &shape, shape.features());
      CHECK_MESSAGE(got.implementation->refusal(&shape, id).empty(), got.implementation->name);
    }
  }
}

TEST_CASE("ids and counts of intersections are chosen apart") {
  const CaseId id = Intersect::Case<std::uint32_t>::id;
  using Form = Intersect::Form;
  for (const Row& row : kTable) {
    if (row.operation != "intersect" || available(row).empty()) continue;
    const Context ctx = machine(row.place, row.machine);
    for (const auto& [count_only, dense, name] : {std::tuple(false, true, "ids"),
                                                  {true, true, "count"},
                                                  {false, false, "ids, thin"},
                                                  {true, false, "count, thin"}}) {
      const Intersect::Shape shape{1000, 5, row.from[0] + 1, row.from[0] + 1, count_only, Form::plain, dense};
      const std::string_view variant = Intersect::variants[shape.variant()];
      CHECK(variant == name);
      const auto want = measured(row.machine, "intersect", variant, id, &shape, shape.features());
      if (!want) continue;
      CHECK_MESSAGE(
          choice(ctx, "intersect", variant, id, &shape, shape.features()).implementation->name == *want,
          variant, " on ", row.machine, " from ", row.from[0]);
    }
  }
  // Lists in the other form get what reads it, though only plain ones were measured.
  for (const Form form : {Form::plain, Form::packed}) {
    const Intersect::Shape shape{1000, 5, 20000, 20000, false, form};
    const Choice got = choice(Context::host(), "intersect", "ids", id, &shape, shape.features());
    CHECK((got.implementation->reads == "packed") == (form == Form::packed));
  }
  // A variant that nobody measured is not chosen by the measurements of another.
  for (const std::string_view cpu : machines(Place::host)) {
    const Context ctx = machine(Place::host, cpu);
    const Intersect::Shape shape{1000, 5, 20000, 20000, false, Form::plain};
    const Choice got = choice(ctx, "intersect", "sums", id, &shape, shape.features());
    CHECK(says_unmeasured(got.why, "intersect", ctx));
  }
}

TEST_CASE("a type that was not measured is chosen as one of its size, and others by rule") {
  for (const std::string_view cpu : machines(Place::host)) {
    const Context ctx = machine(Place::host, cpu);
    for (const std::int64_t n : {1000, 1000000, 100000000}) {
      const auto name_of = [&](Type type) {
        return choice(ctx, {type, OperatorId::plus}, {n}).implementation->name;
      };
      for (const auto& [type, twin] : {std::pair{Type::i32, Type::f32}, {Type::i64, Type::f64}}) {
        const Reduce::Shape shape{n};
        const auto want = measured(cpu, "reduce", "", {twin, OperatorId::plus}, &shape, {n});
        if (!want) continue;
        CHECK(name_of(type) == *want);
        CHECK(says_measured(choice(ctx, {type, OperatorId::plus}, shape).why, cpu));
      }
    }
    for (const Type type : {Type::f16, Type::f32, Type::f64, Type::i8, Type::i32, Type::i64}) {
      const Choice got = choice(ctx, {type, OperatorId::plus}, {1000000});
      CHECK(says_unmeasured(got.why, "reduce", ctx) == !covered(cpu, "reduce", type));
    }
  }
}

TEST_CASE("a CPU that was not measured is taken for one that was, and `why` says so") {
  const Context ctx = machine(Place::host, kUnknownCpu);
  int measured = 0, by_rule = 0;
  for (const Type type : {Type::f16, Type::f32, Type::f64, Type::i8, Type::i32, Type::i64}) {
    const Reduce::Shape shape{1000000};
    const CaseId id{type, OperatorId::plus};
    const Choice got = choice(ctx, id, shape);
    if (covered("", "reduce", type)) {
      ++measured;
      CHECK_MESSAGE(says_measured_elsewhere(got.why), got.why);
      continue;
    }
    // By rule it is the last step of the ladder that takes the call and suits it, before any library.
    ++by_rule;
    CHECK_MESSAGE(says_unmeasured(got.why, "reduce", ctx), got.why);
    int last = -1;
    for (const Implementation& i : implementations()) {
      if (i.operation != "reduce" || i.place != Place::host || i.path != "custom" || !i.unavailable().empty())
        continue;
      if (i.refusal(&shape, id).empty() && i.suited(&shape)) last = std::max(last, i.step);
    }
    CHECK(got.implementation->path == "custom");
    CHECK(got.implementation->step == last);
  }
  MESSAGE(measured, " types by measurements, ", by_rule, " by rule");
}

TEST_CASE("a GPU that was not measured is taken for one that was, by its multiprocessors") {
  const auto elsewhere = [](const char* gpu, int multiprocessors, const auto& shape,
                            std::string_view operation, CaseId id, std::string_view variant = "") {
    Features features{};
    if constexpr (requires { shape.features(); })
      features = shape.features();
    else
      features = {shape.n};
    return choose_elsewhere({Place::device, gpu, multiprocessors, false},
                            {operation, id, variant, reserve_slots(1)}, &shape, features);
  };
  const CaseId negated{Type::f64, OperatorId::negate}, none{Type::f32, OperatorId::none};
  const struct {
    std::int64_t n;
    const char *reduce, *scan;
  } sizes[] = {{1, "one_pass", "one_block"},
               {1000, "one_pass", "one_block"},
               {1000000, "tagged_totals", "lookback"},
               {100000000, "one_pass", "pipeline"}};
  for (const auto& [n, reduce, scan] : sizes) {
    CHECK(elsewhere(kUnknownGpu, 46, Reduce::Shape{n}, "reduce", kAdd) ==
          std::string("reduce/custom/") + reduce);
    CHECK(elsewhere(kUnknownGpu, 46, Scan::Shape{n}, "scan", kAdd) == std::string("scan/custom/") + scan);
  }
  // Few and long systems, many short ones, and a small product: as on the GPU that was measured.
  for (const auto& [n, systems] : {std::pair{4000000, 1}, {64, 100000}}) {
    Tridiagonal::Shape shape{.systems = contiguous(n, systems)};
    shape.report = true;
    const std::string there = elsewhere("NVIDIA H200", 132, shape, "tridiagonal", none, "contiguous");
    CHECK(there == (systems == 1 ? "tridiagonal/custom/tiles" : "tridiagonal/custom/warp_hybrid"));
    CHECK(elsewhere(kUnknownGpu, 46, shape, "tridiagonal", none, "contiguous") == there);
  }
  const Gemm::Shape product{128, 128, 128};
  const std::string there = elsewhere("NVIDIA H200", 132, product, "gemm", none, "NN");
  CHECK(there.starts_with("gemm/"));
  CHECK(elsewhere(kUnknownGpu, 46, product, "gemm", none, "NN") == there);
  // A special kind of a variant that was not measured goes by the variant.
  CHECK(elsewhere("NVIDIA H200", 132, product, "gemm", none, "NN, of nobody") == there);
  CHECK(elsewhere("NVIDIA H200", 132, product, "gemm", none, "NN, unaligned, of nobody") ==
        elsewhere("NVIDIA H200", 132, product, "gemm", none, "NN, unaligned"));
  // A type of fewer bytes than all that were measured goes by the narrowest of them.
  const auto selects = [&](Type type) {
    return elsewhere("NVIDIA H200", 132, Select::Shape{1000000}, "select", {type, OperatorId::none},
                     "predicate");
  };
  for (const Type type : {Type::f16, Type::u8}) CHECK(selects(type) == selects(Type::f32));
  // Of the sizes from which on a path is the fastest there, a smaller GPU has a part.
  const auto first = [&](int multiprocessors) {
    std::int64_t n = 1;
    while (n < std::int64_t{1} << 30 && elsewhere(kUnknownGpu, multiprocessors, Transform::Shape{n},
                                                  "transform", negated) == "transform/custom/packs")
      n += n / 8 + 1;
    return n;
  };
  CHECK(first(33) < first(132));
  CHECK(std::abs(static_cast<double>(first(33)) / static_cast<double>(first(132)) - 0.25) < 0.05);

  // Where an operation was measured on another GPU alone, as there.
  Sptrsv::Shape chain{.rows = 7415, .elements = 14829, .levels = 7415};
  chain.report = true;
  const std::string of_chain = elsewhere("NVIDIA H200", 132, chain, "sptrsv", none, "chain");
  CHECK(of_chain == "sptrsv/custom/sync_free");
  CHECK(elsewhere("NVIDIA H100 80GB HBM3", 132, chain, "sptrsv", none, "chain") == of_chain);
  // Of one level no row waits for another, so a thread for each is enough.
  Sptrsv::Shape flat{.rows = 152'512, .elements = 152'512, .levels = 1};
  flat.report = true;
  CHECK(elsewhere("NVIDIA H200", 132, flat, "sptrsv", none, Sptrsv::variants[flat.variant()]) ==
        "sptrsv/custom/levels_in_one");
  // Of a few long rows one may hold nearly all elements, whatever the average says.
  const Spmv::Shape few{.rows = 36, .cols = 13, .elements = 4'393'728, .longest = 1'952'768};
  for (const char* gpu : {"NVIDIA H200", "NVIDIA H100 80GB HBM3", kUnknownGpu}) {
    const std::string balanced =
        elsewhere(gpu, 132, few, "spmv", {Type::f32, OperatorId::none}, Spmv::variants[few.variant()]);
    CHECK_MESSAGE((balanced == "spmv/custom/lean_path" || balanced == "spmv/custom/merge_path"), balanced);
  }
  // Of spmm in any layout, what walks along a long row alone comes after what shares rows: a path's own file says so, which a build
  // without it does not know.
  Spmm::Shape long_row{.rows = 27794, .cols = 64, .elements = 1'778'816, .longest = 248'000, .width = 1};
  CHECK(!Spmm::suits_walks(long_row));
  for (const Layout layout : {Layout::row_major, Layout::column_major}) {
    long_row.c = layout;
    for (const char* gpu : {"NVIDIA H200", "NVIDIA H100 80GB HBM3", kUnknownGpu}) {
      const std::string shared = elsewhere(gpu, 132, long_row, "spmm", {Type::f64, OperatorId::none},
                                           Spmm::variants[long_row.variant()]);
      if (!matching(shared).at(0)->left_out.empty()) continue;
      CHECK_MESSAGE((shared.starts_with("spmm/vendor/cusparse") || shared == "spmm/custom/merge_path"),
                    shared);
    }
  }
  // Where few bits of a key count, what compares keys is for the shortest arrays alone, also in libraries (128 doubles: half as fast).
  const Sort::Shape few_bits{.n = 128, .all_bits = false};
  const std::string by_digits =
      elsewhere("NVIDIA H200", 132, few_bits, "sort", {Type::f64, OperatorId::none}, "keys");
  if (matching(by_digits).at(0)->left_out.empty()) CHECK(by_digits == "sort/custom/one_block");
  // Rows of 300 elements are not long where each has hundreds of products.
  const Spmm::Shape wide{.rows = 284, .cols = 326, .elements = 66015, .longest = 326, .width = 206};
  CHECK(Spmm::variants[wide.variant()] == "even");
  CHECK(Spmm::suits_walks(wide));

  const Context ctx = machine(Place::device, kUnknownGpu);
  if (!why_no_device().empty()) {  // no row of a device can run here
    const std::string message = thrown<Unavailable>([&] { choice(ctx, kAdd, {1000000}); });
    CHECK(message == "reduce " + kAdd.str() + ": no implementation takes this call on the device");
    return;
  }
  const Choice got = choice(ctx, kAdd, {1000000});
  CHECK(got.implementation->name == "reduce/custom/one_pass");
  CHECK_MESSAGE(got.why.ends_with("not this GPU"), got.why);
}

TEST_CASE(
    "what synchronises, rounds more than its type promises, differs from run to run, runs by name only or is "
    "planted is never chosen") {
  long chosen = 0;
  for (const auto& op : operations()) {
    for (const std::string_view name : {std::string_view(kUnknownCpu), *machines(Place::host).begin()}) {
      const Context ctx = machine(Place::host, name);
      for (const CaseId id : op->cases) {
        std::vector<Trial> trials = op->benchmarks(id, 64, 1);
        if (op->extents.empty()) {  // regions in which a library is fastest
          for (std::int64_t n = 1000; n < 1 << 22; n *= 2)
            for (Trial& trial : op->benchmarks(id, n, 1)) trials.push_back(std::move(trial));
        }
        for (const Trial& trial : trials) {
          const Choice got = choice(ctx, op->name, trial.variant, id, op->shape(trial), op->features(trial));
          const Implementation& i = *got.implementation;
          CAPTURE(i.name);
          CHECK(i.operation == op->name);
          CHECK(i.place == Place::host);
          CHECK(i.path != "wrong");
          CHECK_FALSE(i.synchronises);
          CHECK(i.by_name_only == "");
          CHECK_FALSE(i.reduced_precision());
          CHECK(i.repeats);
          CHECK(i.refusal(op->shape(trial), id).empty());
          ++chosen;
        }
      }
    }
  }
  MESSAGE(chosen, " choices");
}

TEST_CASE("the least precise path that a caller allows is chosen where it suits the product") {
  const auto chosen = [](const Gemm::Shape& shape, Precision allowed) {
    return choose_elsewhere({Place::device, "NVIDIA H200", 132, false},
                            {"gemm", {Type::f32, OperatorId::none}, "NN", reserve_slots(1)}, &shape,
                            shape.features(), allowed);
  };
  const auto there = [](const char* name) { return matching(name).at(0)->left_out.empty(); };
  if (!there("gemm/custom/three_parts") || !there("gemm/vendor/cublas_tf32"))
    return;  // what suits is not known
  const Gemm::Shape large{4096, 4096, 4096}, small{64, 64, 64}, flat{4096, 4096, 16};
  CHECK(chosen(large, Precision::full) == "gemm/custom/bulk");
  CHECK(chosen(large, Precision::split) == "gemm/custom/three_parts");
  CHECK(chosen(large, Precision::tf32) == "gemm/vendor/cublas_tf32");
  for (const Gemm::Shape& shape : {small, flat}) {
    CHECK(chosen(shape, Precision::split) == chosen(shape, Precision::full));
    CHECK(chosen(shape, Precision::tf32) == chosen(shape, Precision::full));
  }
}

TEST_CASE("on a CPU of which nothing is known, tiny inputs are for one thread and others for the last step") {
  for (const auto& op : operations()) {
    const Context ctx = machine(Place::host, kUnknownCpu);
    for (const CaseId id : op->cases) {
      for (const Trial& trial : op->benchmarks(id, 2, 1)) {
        // A variant that no table has.
        const auto at = [&](const Features& features) {
          return choice(ctx, op->name, "of nobody", id, op->shape(trial), features);
        };
        if (covered("", op->name, id.type, true)) continue;
        const Choice tiny = at({30, 30}), more = at({30, 40});
        CAPTURE(fmt::format("{} {}: {} and {}", op->name, id.str(), tiny.implementation->name, more.why));
        CHECK(tiny.implementation->name == op->name + "/custom/serial");
        CHECK(tiny.why == "nothing was measured, and a tiny input is for one thread");
        CHECK(says_unmeasured(more.why, op->name, ctx));
      }
    }
  }
}

TEST_CASE("the same call is the same choice, and `why` outlives its context") {
  const Reduce::Shape shape{1000000};
  const CallSite site{"reduce", kAdd, "", reserve_slots(1)};
  std::string_view why;
  const Implementation* implementation = nullptr;
  {
    const Context ctx = machine(Place::host, kUnknownCpu);
    const Choice first = choose(site, &shape, {shape.n}, ctx, {}),
                 second = choose(site, &shape, {shape.n}, ctx, {});
    why = first.why;
    implementation = first.implementation;
    CHECK(second.implementation == implementation);
    CHECK(second.why.data() == why.data());  // looked up, not made anew
  }
  CHECK(why == choice(machine(Place::host, kUnknownCpu), kAdd, shape).why);
  // Another machine has a ranking of its own, at the same site.
  for (const std::string_view cpu : machines(Place::host)) {
    if (!covered(cpu, "reduce", kAdd.type)) continue;
    CHECK(says_measured(choose(site, &shape, {shape.n}, machine(Place::host, cpu), {}).why, cpu));
  }
  CHECK(choose(site, &shape, {shape.n}, machine(Place::host, kUnknownCpu), {}).implementation ==
        implementation);
}

TEST_CASE("last() says truly why, on this CPU") {
  unsetenv("TANDEM_USE");
  Context ctx = Context::host();
  const bool this_cpu = machines(Place::host).contains(ctx.description());
  const auto check_why = [&](std::string_view operation, Type type) {
    const std::string_view why = ctx.last().why;
    CAPTURE(why);
    if (!covered(this_cpu ? ctx.description() : "", operation, type))
      CHECK(says_unmeasured(why, operation, ctx));
    else if (this_cpu)
      CHECK(says_measured(why, ctx.description()));
    else
      CHECK(says_measured_elsewhere(why));
  };
  const auto call_both = [&]<class T>(T one) {
    const std::vector<T> x(2000, one);
    std::vector<T> y(2000);
    reduce(ctx, x);
    check_why("reduce", type_of<T>);
    inclusive_scan(ctx, x, y);
    check_why("scan", type_of<T>);
  };
  call_both(1.0f), call_both(1.0), call_both(std::int32_t{1}), call_both(std::int64_t{1});
  reduce(ctx, std::vector<std::int8_t>(2000, 1));
  check_why("reduce", Type::i8);
  reduce(ctx, std::vector<half>(2000, half(1.0f)));
  check_why("reduce", Type::f16);
  std::vector<float> x(2000, 1), z(2000);
  transform(ctx, square, x, z);
  check_why("transform", Type::f32);
  reduce(ctx, x, {.use = "custom/serial"});
  CHECK(ctx.last().why == "asked for with .use");
}

TEST_SUITE_END();

}  // namespace tandem
