// Every path gives the same bits in 1,000 runs of one call, or says .repeats = false: real numbers of both widths, whose
// last bits show every change of order, in every variant of a call.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lib/harness/operation.h"
#include "tests/host_rows.h"
#include "tests/support.h"

#ifdef TANDEM_HAS_SIMT
#include "lib/simt/executor.h"
#endif

namespace tandem {
namespace {

constexpr std::uint64_t kSeed = 5;

// The most bit patterns that `runs` runs of a path give in a variant of its operation; 0 where it takes none.
// before(run) comes first.
template <class Before>
std::size_t patterns(const Implementation& i, Context& ctx, std::int64_t n, int runs, Before before) {
  const Operation& op = operation(i.operation);
  std::size_t most = 0;
  for (std::size_t c = 0; c < op.cases.size(); ++c) {
    const CaseId id = op.cases[c];
    if (c > 0 && id != CaseId{Type::f64, op.cases[0].op}) continue;
    for (Trial& trial : op.benchmarks(id, n, kSeed)) {
      trial.inputs.values = Values::real;
      if (!i.refusal(op.shape(trial), id).empty()) continue;
      const auto problem = op.make(ctx, static_cast<int>(c), trial);
      std::set<std::uint64_t> seen;
      for (int run_index = 0; run_index < runs; ++run_index) {
        before(run_index);
        problem->reset();
        run(i, static_cast<int>(c), problem->args(), ctx, "repeated");
        ctx.synchronize();
        seen.insert(problem->bits());
      }
      most = std::max(most, seen.size());
    }
  }
  return most;
}

// The size on the scale of --n: enough elements for all threads.
std::int64_t size_for(const Implementation& i) {
  if (i.operation == "sort" || i.operation == "top_k") return 20'000;  // n log n comparisons
  return operation(i.operation).extents.empty() ? 300'000 : 80;
}

struct Count {
  int paths = 0, do_not_promise = 0;
  void operator()(const Implementation& i, std::size_t patterns) {
    if (patterns == 0) return;
    ++paths;
    if (i.repeats) {
      CHECK_MESSAGE(patterns == 1, i.name, " gave ", patterns, " bit patterns");
    } else {
      ++do_not_promise;
      MESSAGE(i.name, ", which promises nothing, gave ", patterns, " bit patterns");
    }
  }
};

}  // namespace

TEST_SUITE_BEGIN("repeats");

TEST_CASE("1,000 runs on the CPU") {
  Context ctx = Context::host();
  Count count;
  for (const Implementation* i : host_rows()) {
    if (i->place == Place::host) count(*i, patterns(*i, ctx, size_for(*i), 1000, [](int) {}));
  }
  fmt::print("{} CPU paths repeat their bits, {} do not promise it\n", count.paths - count.do_not_promise,
             count.do_not_promise);
  CHECK(count.paths >= 20);
}

#ifdef TANDEM_HAS_SIMT
TEST_CASE("50 random schedules on the executor") {
  Context ctx = Context::host();
  Count count;
  for (const Implementation* i : host_rows()) {
    if (i->place != Place::simt) continue;
    const auto schedule = [](int run_index) {
      simt::set_schedule({simt::Schedule::Order::random, static_cast<std::uint64_t>(run_index)});
    };
    count(*i, patterns(*i, ctx, operation(i->operation).extents.empty() ? 5000 : 40, 50, schedule));
  }
  simt::set_schedule({});
  CHECK(count.paths >= 20);
}
#endif

TEST_SUITE_END();

TEST_SUITE_BEGIN("device");

TEST_CASE("1,000 runs on the GPU" * doctest::skip(!why_no_device().empty())) {
  Context ctx = Context::device();
  Count count;
  for (const Implementation& i : implementations()) {
    if (i.place == Place::device && i.unavailable().empty() && i.path != "wrong")
      count(i, patterns(i, ctx, size_for(i), 1000, [](int) {}));
  }
  fmt::print("{} GPU paths repeat their bits, {} do not promise it\n", count.paths - count.do_not_promise,
             count.do_not_promise);
}

TEST_SUITE_END();

}  // namespace tandem
