// The trace of the ladders: figures known from books and lectures, work and steps known from theory, no race
// in any right kernel and every planted one found, and a thousand schedules for each kernel and operator (200 in CI).

#ifdef TANDEM_HAS_SIMT

#include "lib/simt/trace.h"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <thread>

#include "lib/harness/race_check.h"
#include "tests/support.h"

namespace tandem {
namespace {

using simt::Space;

constexpr CaseId kSum{Type::f32, OperatorId::plus};

const Implementation& row(const std::string& name) {
  const auto found = matching(name + "@simt");
  REQUIRE(found.size() == 1);
  return *found[0];
}
// The sum of floats; the one case of floats where there is no operator.
CaseId float_case(const Operation& op) {
  return std::find(op.cases.begin(), op.cases.end(), kSum) == op.cases.end()
             ? CaseId{op.default_type(), OperatorId::none}
             : kSum;
}
// An input of this size that the row takes: the benchmark's, else the tests' that is nearest in length and not empty (a
// step that works in place alone, or takes few elements); none of a case that it refuses.
std::optional<Trial> input(const Implementation& i, const Operation& op, CaseId id, std::int64_t n) {
  const auto takes = [&](const Trial& trial) { return i.refusal(op.shape(trial), id).empty(); };
  if (Trial trial = op.benchmarks(id, n, 1).front(); takes(trial)) return trial;
  std::vector<Trial> others = op.tests(id, Coverage::brief, 1);
  std::erase_if(others, [&](const Trial& trial) { return trial.n == 0 || !takes(trial); });
  if (others.empty()) return std::nullopt;
  return *std::ranges::min_element(others, {}, [&](const Trial& trial) { return std::abs(trial.n - n); });
}
int case_of(const Operation& op, CaseId id) {
  return static_cast<int>(std::find(op.cases.begin(), op.cases.end(), id) - op.cases.begin());
}

simt::Trace trace(const std::string& name, std::int64_t n, int block = 0, int offset = 0) {
  const Implementation& i = row(name);
  const Operation& op = operation(i.operation);
  const CaseId id = float_case(op);
  const int c = case_of(op, id);
  Context ctx = Context::host();
  Trial trial = op.benchmarks(id, n, 1).front();
  trial.inputs.offset = offset;
  const auto problem = op.make(ctx, c, trial);
  problem->reset();
  simt::settings().block = block;
  auto result = simt::trace([&] { run(i, c, problem->args(), ctx, "traced"); });
  simt::settings() = {};
  return result;
}

Complexity cost(const std::string& name, std::int64_t n, int block = 0) {
  const auto found = matching(name);
  const auto counts = std::find_if(found.begin(), found.end(), [](auto* i) { return i->counting; });
  REQUIRE(counts != found.end());
  const Operation& op = operation((*counts)->operation);
  Context ctx = Context::host();
  auto trial = op.benchmarks(kSum, n, 1).front();
  simt::settings().block = block;
  const Complexity result = op.complexity(**counts, ctx, trial);
  simt::settings() = {};
  return result;
}

template <class F>
void every_kernel(F f) {
  for (const Implementation& i : implementations()) {
    if (i.place == Place::simt && i.path == "custom") f(i, operation(i.operation));
  }
}

}  // namespace

TEST_SUITE_BEGIN("trace");

// Kirk, Hwu, El Hajj, "Programming Massively Parallel Processors", chapter 10: one block of n/2 threads. Its
// "requests" are 128-byte lines touched, in the loop alone.
TEST_CASE("a tree in global memory touches 141 lines scattered and 36 in order") {
  const struct {
    const char* name;
    int n;
    std::int64_t lines, additions, lanes;
  } known[] = {{"reduce/custom/global_interleaved", 256, 141, 255, 864},
               {"reduce/custom/global_convergent", 256, 36, 255, 384},
               {"reduce/custom/global_interleaved", 2048, 1149, 2047, 0},
               {"reduce/custom/global_convergent", 2048, 204, 2047, 0}};
  for (const auto& k : known) {
    INFO(k.name, " n = ", k.n);
    const auto launches = trace(k.name, k.n, k.n / 2).launches;
    REQUIRE(launches.size() == 2);  // a copy, the tree
    CHECK(launches[1].kernel.ends_with("_tile"));
    CHECK(launches[1].grid.count() == 1);
    const simt::LineTotals tree = busiest_line(launches[1], Space::global);
    CHECK(tree.all.lines == k.lines);
    CHECK(tree.stores.lanes == k.additions);
    if (k.lanes) CHECK(32 * tree.stores.requests == k.lanes);
  }
}

TEST_CASE("a tree in shared memory touches 9 lines of global memory") {
  const auto launches = trace("reduce/custom/reduce4_first_add", 256, 128).launches;
  REQUIRE(launches.size() == 1);
  CHECK(launches[0].global.lines == 9);
  CHECK(launches[0].global.bytes == 257 * 4);
}

TEST_CASE("bank conflicts: strided has them, sequential not; blelloch has them, padded not") {
  CHECK(busiest_line(trace("reduce/custom/reduce2_strided", 4096).launches[0], Space::shared).all.ways == 8);
  CHECK(trace("reduce/custom/reduce3_sequential", 4096).launches[0].shared.extra_wavefronts() == 0);
  const auto plain = trace("scan/custom/blelloch", 4096).launches[0].shared;
  const auto padded = trace("scan/custom/blelloch_padded", 4096).launches[0].shared;
  CHECK(plain.ways == 16);
  CHECK(plain.extra_wavefronts() > plain.least_wavefronts);
  CHECK(padded.extra_wavefronts() == 0);
  CHECK(padded.ways == 1);
}

// A line that starts off a sector's boundary ends in one more: of 32 floats that makes 5 for 4. Whatever
// else the ends of an array or matrix take by elements is little.
TEST_CASE("arrays and matrices that start off 16 bytes move a quarter more sectors at most") {
  const struct {
    std::string name;
    int n;
  } rows[] = {{"reduce/custom/one_pass", 1 << 14},
              {"scan/custom/lookback", 48 << 10},
              {"transform/custom/packs", 1 << 14},
              {"transpose/custom/register_tile", 192},
              {"transpose/custom/wide_tile", 192}};
  for (const auto& [name, n] : rows) {
    INFO(name);
    const auto sectors = [&name = name, n = n](int offset) {
      std::int64_t sum = 0;
      for (const auto& launch : trace(name, n, 0, offset).launches) sum += launch.global.sectors;
      return sum;
    };
    REQUIRE(sectors(0) > 0);
    CHECK(4 * sectors(1) <= 5 * sectors(0));
  }
}

// Work counts every application of the operator, also those with an initial value or identity; the terms
// behind the textbook's formula say which those are.
TEST_CASE("work and steps grow as theory says") {
  for (int log = 4; log <= 12; ++log) {
    const std::int64_t n = std::int64_t{1} << log;
    INFO("n = ", n);
    const Complexity serial = cost("scan/custom/serial", n);
    CHECK(serial.work == (n - 1) + 1);  // the initial value
    CHECK(serial.steps == n);
    CHECK(serial.peak == 1);
    const Complexity naive = cost("scan/custom/naive", n);
    CHECK(naive.work == n * (n - 1) / 2 + n);  // each prefix starts from the initial value
    CHECK(naive.steps == n);
    const Complexity naive_tree = cost("scan/custom/naive_tree", n);
    CHECK(naive_tree.work == naive.work);
    CHECK(naive_tree.steps == log + 1);

    // One block for the whole array, as long as a block may have that many threads.
    const auto block = static_cast<int>(std::min<std::int64_t>(n, 1024));
    const std::int64_t tiles = n / block;
    const auto hillis_steele = [](std::int64_t size) {
      return size * std::bit_width(std::uint64_t(size - 1)) - size + 1;
    };
    const Complexity hs = cost("scan/custom/hillis_steele", n, block);
    if (tiles == 1) {
      CHECK(hs.work == hillis_steele(n) + 1);  // the initial value
      CHECK(hs.steps == log + 1);
    } else {
      // Tiles, then one tile of their totals (all of its threads take part), then one application per
      // element.
      CHECK(hs.work == tiles * (hillis_steele(block) + 1) + hillis_steele(block) + 1 + n);
    }

    const auto half = static_cast<int>(std::min<std::int64_t>(n / 2, 1024));
    const std::int64_t trees = n / (2 * half);
    const auto tree = [](std::int64_t size) { return 2 * (size - 1); };
    for (const char* name : {"scan/custom/blelloch", "scan/custom/blelloch_padded"}) {
      const Complexity b = cost(name, n, half);
      if (trees == 1) {
        CHECK(b.work == tree(n) + 1);  // the inclusive scan's last element
        CHECK(b.steps == 2 * log - 1);
      } else {
        // Each tree with its last element, the tree over the totals, one application per element.
        CHECK(b.work == trees * (tree(2 * half) + 1) + tree(2 * half) + n);
      }
    }
    CHECK(cost("reduce/custom/global_convergent", n, half).work == n - 1);
    if (trees == 1) {
      const Complexity reduction = cost("reduce/custom/global_convergent", n, half);
      CHECK(reduction.steps == log);
      CHECK(reduction.peak == n / 2);  // 512 of 1,024 elements, on average 1,023 ÷ 10 = 102.3: the textbook's
    }
  }
}

/// A trace of this size has kernels' names and lines of their source, no race, and the right result.
void see_trace(const Implementation& i, const Operation& op, CaseId id, std::int64_t n) {
  INFO(i.name, " ", id.str(), " n = ", n);
  Context ctx = Context::host();
  const int c = case_of(op, id);
  const std::optional<Trial> trial = input(i, op, id, n);
  if (!trial) return;
  const auto problem = op.make(ctx, c, *trial);
  problem->reset();
  const simt::Trace traced = simt::trace([&] { run(i, c, problem->args(), ctx, "traced"); });
  REQUIRE(!traced.launches.empty());
  bool named = false;
  for (const auto& launch : traced.launches) {
    CHECK(launch.kernel != "kernel");
    for (const auto& line : launch.lines)
      named |= line.line.file.starts_with("custom_kernels/") && line.line.line > 0;
  }
  CHECK(named);
  for (const auto& race : traced.races) FAIL_CHECK(race.str());
  CHECK(problem->check(i.depth(trial->n)).correct);
}
bool is_of_floats(const Operation& op, CaseId id) { return id == float_case(op); }

/// The same of every kernel, with every type that is wanted.
template <class Wanted>
void see_traces(std::initializer_list<std::int64_t> sizes, Wanted wanted) {
  every_kernel([&](const Implementation& i, const Operation& op) {
    for (const std::int64_t n : sizes) {
      if (!op.extents.empty() && n > 100) continue;  // of matrices
      for (const CaseId id : op.cases) {
        if ((id.op != OperatorId::plus && id.op != OperatorId::none) || !wanted(op, id)) continue;
        // Work that grows with n² is seen on many elements with floats alone.
        if (n > 10000 && !is_of_floats(op, id) && !i.suited(op.shape(op.benchmarks(id, n, 1).front())))
          continue;
        see_trace(i, op, id, n);
      }
    }
  });
}

TEST_CASE("every kernel of every ladder is traced, with lines of its source and no race") {
  see_traces({1, 70}, [](const Operation&, CaseId) { return true; });
  see_traces({700}, is_of_floats);
#ifndef TANDEM_HAS_ONLY_SOME
  int kernels = 0;
  every_kernel([&](auto&...) { ++kernels; });
  CHECK(kernels >= 17);
#endif
}

TEST_CASE("planted races are found, with both lines") {
  const struct {
    const char* name;
    const char* says;
  } planted[] = {{"reduce/wrong/volatile_unroll", "02_volatile_unroll.cu:"},
                 {"reduce/wrong/missing_barrier", "03_missing_barrier.cu:"},
                 {"reduce/wrong/last_block_unfenced", "13_last_block_unfenced.cu:"},
                 {"scan/wrong/missing_barrier", "06_missing_barrier.cu:"},
                 {"scan/wrong/missing_syncwarp", "07_missing_syncwarp.cu:"},
                 {"scan/wrong/missing_fence", "13_missing_fence.cu:"}};
  for (const auto& p : planted) {
    INFO(p.name);
    // Whatever the schedule, though some of them give the right result under some.
    for (const auto order : {simt::Schedule::Order::forward, simt::Schedule::Order::reverse}) {
      simt::set_schedule({order, 0});
      const auto races = trace(p.name, 2000).races;
      REQUIRE(!races.empty());
      const std::string text = races.front().str();
      const auto first = text.find(p.says);
      CHECK_MESSAGE(first != text.npos, text);
      CHECK_MESSAGE(text.find(p.says, first + 1) != text.npos, text);
    }
  }
}

TEST_CASE("a long scan is traced in little memory, streaming") {
  const auto launches = trace("scan/custom/blelloch", 1 << 18).launches;
  CHECK(launches[0].grid.count() == 512);
  CHECK(launches[0].rounds.size() <= simt::Traffic::kMostRounds);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("trace_types");

TEST_CASE("every kernel of every ladder is traced with many elements of every type") {
  see_traces({700}, std::not_fn(is_of_floats));
  see_traces({4099, 13001}, [](const Operation&, CaseId) { return true; });
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("schedules");

/// One case for each operator, of a type each; the one case of floats where there is no operator.
std::vector<CaseId> a_case_for_each_operator(const Operation& op) {
  const CaseId first = float_case(op);
  std::vector<CaseId> cases{first};
  for (const CaseId id : op.cases) {
    const auto same = [&](CaseId other) { return other.op == id.op; };
    if (first.op != OperatorId::none && std::none_of(cases.begin(), cases.end(), same)) cases.push_back(id);
  }
  return cases;
}

TEST_CASE("random schedules for every kernel and operator, watched for races") {
  const int schedules = thorough() ? 1000 : 200;
  struct Job {
    const Implementation* kernel;
    CaseId id;
  };
  std::vector<Job> jobs;
  every_kernel([&](const Implementation& i, const Operation& op) {
    for (const CaseId id : a_case_for_each_operator(op)) {
      if (input(i, op, id, 100)) jobs.push_back({&i, id});  // not of an operator that it refuses
    }
  });
  std::atomic<std::size_t> next = 0;
  std::atomic<long> runs = 0;
  std::mutex mutex;
  std::vector<std::string> wrong;
  const auto work = [&] {
    Context ctx = Context::host();
    for (std::size_t k; (k = next++) < jobs.size();) {
      const auto& [kernel, id] = jobs[k];
      const Implementation& i = *kernel;
      const Operation& op = operation(i.operation);
      const int c = case_of(op, id);
      // Mostly a few warps; now and then several blocks, for sums several tiles of the largest.
      const bool sum = id == float_case(op);
      const bool tree = i.name == "scan/custom/naive_tree@simt";  // n² threads
      const std::int64_t few = !op.extents.empty() ? 33 : sum && !tree ? 600 : 150;
      const std::int64_t many = i.operation == "top_k"                       ? 9000
                                : !op.extents.empty()                        ? 70
                                : tree                                       ? 500
                                : !sum || i.name == "scan/custom/naive@simt" ? 1200
                                : i.operation == "sort"                      ? 9000  // up to 96 launches
                                                                             : 25000;
      const Trial small_trial = input(i, op, id, few).value(), large_trial = input(i, op, id, many).value();
      const auto small = op.make(ctx, c, small_trial), large = op.make(ctx, c, large_trial);
      for (int s = 0; s < schedules; ++s) {
        simt::settings().os_threads = 1;
        simt::set_schedule({simt::Schedule::Order::random, static_cast<std::uint64_t>(s)});
        const bool is_large = s % 50 == 0;
        const Verdict verdict =
            check_watched(i, c, is_large ? *large : *small, ctx, (is_large ? large_trial : small_trial).n);
        ++runs;
        if (verdict.correct) continue;
        const std::lock_guard lock(mutex);
        wrong.push_back(fmt::format("{} {} random:{} n={}: {}", i.name, id.str(), s, is_large ? many : few,
                                    verdict.text));
        break;
      }
    }
    simt::settings() = {};
  };
  std::thread other(work);
  work();
  other.join();
  for (const std::string& text : wrong) FAIL_CHECK(text);
  fmt::print("{} runs of {} kernels and operators under random schedules\n", runs.load(), jobs.size());
  CHECK(runs.load() == static_cast<long>(jobs.size()) * schedules);
}

TEST_SUITE_END();

}  // namespace tandem

#endif
