// Every path gives the same bits in 1,000 runs of one call, or says .repeats = false: real numbers of both widths, whose
// last bits show every change of order, in every variant of a call; a few runs of smaller and larger calls, and of other
// types of elements. On the CPU it is a fifth of that without TANDEM_THOROUGH.

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

/// Operations that add up no numbers: whatever the order, the bits are the same, so that only a race could tell runs apart.
constexpr std::string_view kNoSums[] = {"histogram", "random", "select", "sort", "top_k"};

/// How often a path is run on a size of the scale of --n: each variant of a call, or all of them together where nothing is
/// added up.
struct Runs {
  std::int64_t n;
  int count;
};

/// Sizes of one thread, of all threads, and of several chunks or tiles for each.
std::vector<Runs> runs_of(const Implementation& i) {
  if (i.operation == "sort" || i.operation == "top_k")
    return {{1000, 200}, {20'000, 1000}, {300'000, 20}};  // n log n comparisons
  if (i.operation == "select" || i.operation == "random")
    return {{3000, 200}, {100'000, 1000}, {1'500'000, 40}};  // many variants of a call
  if (!operation(i.operation).extents.empty()) return {{8, 200}, {80, 1000}, {250, 30}};
  return {{3000, 200}, {300'000, 1000}, {1'500'000, 40}};
}

// The most bit patterns that a path gives for one input, in any variant of its operation, type of elements and size; 0
// where it takes none. before(run) comes first.
template <class Before>
std::size_t patterns(const Implementation& i, Context& ctx, const std::vector<Runs>& sizes, Before before) {
  const Operation& op = operation(i.operation);
  const bool sums = std::find(std::begin(kNoSums), std::end(kNoSums), i.operation) == std::end(kNoSums);
  std::size_t most = 0;
  for (std::size_t c = 0; c < op.cases.size(); ++c) {
    const CaseId id = op.cases[c];
    if (id.op != op.cases[0].op) continue;
    for (const auto& [n, count] : sizes) {
      std::vector<Trial> variants = op.benchmarks(id, n, kSeed);
      for (Trial& trial : variants) trial.inputs.values = Values::real;
      std::erase_if(variants, [&](const Trial& trial) { return !why_not(op, i, id, trial).empty(); });
      // Integers do not round; where one thread does all, there is no race either.
      const bool rounds = (id.type == Type::f32 || id.type == Type::f64) && !i.name.ends_with("/serial");
      const int few = std::max(3, count / 20),
                parts = sums || variants.empty() ? 1 : static_cast<int>(variants.size()),
                all = (count + parts - 1) / parts,
                some = i.place == Place::device || thorough() ? all : (all + 4) / 5,
                runs = rounds ? std::max(few, some) : few;
      for (const Trial& trial : variants) {
        const auto problem = op.make(ctx, static_cast<int>(c), trial);
        problem->reset();
        std::set<std::uint64_t> seen;
        for (int run_index = 0; run_index < runs; ++run_index) {
          before(run_index);
          problem->again();
          run(i, static_cast<int>(c), problem->args(), ctx, "repeated");
          ctx.synchronize();
          seen.insert(problem->bits());
        }
        most = std::max(most, seen.size());
      }
    }
  }
  return most;
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

TEST_CASE("many runs on the CPU") {
  Context ctx = Context::host();
  Count count;
  for (const Implementation* i : host_rows()) {
    if (i->place == Place::host) count(*i, patterns(*i, ctx, runs_of(*i), [](int) {}));
  }
  fmt::print("{} CPU paths repeat their bits, {} do not promise it\n", count.paths - count.do_not_promise,
             count.do_not_promise);
  CHECK(count.paths >= 20);
}

#ifdef TANDEM_HAS_SIMT
TEST_CASE("random schedules on the executor") {
  Context ctx = Context::host();
  Count count;
  for (const Implementation* i : host_rows()) {
    if (i->place != Place::simt) continue;
    const auto schedule = [](int run_index) {
      simt::set_schedule({simt::Schedule::Order::random, static_cast<std::uint64_t>(run_index)});
    };
    const std::vector<Runs> sizes = operation(i->operation).extents.empty()
                                        ? std::vector<Runs>{{700, 10}, {5000, 50}, {20'000, 3}}
                                        : std::vector<Runs>{{8, 10}, {40, 50}, {100, 3}};
    count(*i, patterns(*i, ctx, sizes, schedule));
  }
  simt::set_schedule({});
  CHECK(count.paths >= 20);
}
#endif

TEST_SUITE_END();

TEST_SUITE_BEGIN("device_repeats");

// An operation at a time, so that --subcase=gemm runs one of them and several processes can share the work.
TEST_CASE("1,000 runs on the GPU" * doctest::skip(!why_no_device().empty())) {
  for (const auto& op : operations()) {
    SUBCASE(op->name.c_str()) {
      Context ctx = Context::device();
      Count count;
      for (const Implementation& i : implementations()) {
        if (i.operation == op->name && i.place == Place::device && i.unavailable().empty() &&
            i.path != "wrong")
          count(i, patterns(i, ctx, runs_of(i), [](int) {}));
      }
      fmt::print("{}: {} GPU paths repeat their bits, {} do not promise it\n", op->name,
                 count.paths - count.do_not_promise, count.do_not_promise);
      std::fflush(stdout);
      CHECK(count.paths > 0);
    }
  }
}

TEST_SUITE_END();

}  // namespace tandem
