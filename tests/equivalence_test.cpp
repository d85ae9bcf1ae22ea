// Every implementation that can run here gives the reference's answer on every case, size, value class and
// alignment; those on the executor under other schedules too. What did not run is counted apart: skipped is
// not passed.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <map>
#include <mutex>
#include <thread>

#include "lib/harness/operation.h"
#include "tests/host_rows.h"
#include "tests/support.h"

#ifdef TANDEM_HAS_SIMT
#include "lib/harness/race_check.h"
#endif

namespace tandem {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kMostShown = 20;
constexpr std::int64_t kLong = 4096;
constexpr double kSecondsPerCase =
    2 * 240 / 80'000.0;  // of processor time: 80,000 cases in 4 minutes on 2 cores
#ifdef TANDEM_SANITIZED
constexpr Coverage kCoverage = Coverage::brief;  // it takes many times as long
unsigned thread_count() {
  return 1;
}  // several, and clang 14's OpenMP crashed in a critical section of the harness
#else
constexpr Coverage kCoverage = Coverage::quick;
unsigned thread_count() { return std::max(1u, std::thread::hardware_concurrency()); }
#endif
#ifdef TANDEM_HAS_SIMT
constexpr auto kJudge = check_watched<>;
#else
constexpr auto kJudge = check;
#endif

// Trials of one case of one implementation, or every `step`-th under another schedule.
struct Job {
  const Implementation* implementation;
  int case_index;
  std::vector<Trial> trials;
  int order = 0;  // 0 forward, 1 reverse, 2 random
};

struct Tally {
  long executed = 0, refused = 0,
       outside = 0;  // outside: wrong by digits on inputs on which it promises none
  double seconds = 0;
  std::vector<std::string> wrong;
  std::vector<std::pair<Point, bool>> points;  // of trials that were executed, or refused
};

Tally run_job(const Job& job, Context& ctx) {
  const auto start = std::chrono::steady_clock::now();
  const Implementation& i = *job.implementation;
  const Operation& op = operation(i.operation);
  const CaseId id = op.cases[static_cast<std::size_t>(job.case_index)];
#ifdef TANDEM_HAS_SIMT
  using Order = simt::Schedule::Order;
  constexpr Order kOrders[] = {Order::forward, Order::reverse, Order::random};
  if (i.place == Place::simt)
    simt::set_schedule({kOrders[job.order], kSeed + static_cast<std::uint64_t>(job.case_index)});
#endif
  constexpr const char* kNames[] = {"", ", reverse schedule", ", random schedule"};
  const Implementation* const one[] = {&i};
  // Watching takes several times as long, so it is done under one schedule; tandem check does it always.
  const Judge judge = job.order == 1 ? Judge(kJudge) : Judge(check);
  Tally tally;
  for_each_trial(op, job.case_index, job.trials, one, ctx, judge, [&](const Outcome& outcome) {
    ++(outcome.refusal.empty() ? tally.executed : tally.refused);
    tally.outside += outcome.outside_promise;
    tally.points.emplace_back(outcome.trial.point, outcome.refusal.empty());
    if (!outcome.verdict.correct && !outcome.outside_promise) {
      tally.wrong.push_back(fmt::format("{} {} {}{}: {}", i.name, id.str(), outcome.trial.str(),
                                        kNames[job.order], outcome.verdict.text));
    }
    return true;
  });
  tally.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return tally;
}

// Whether a trial takes seconds on the executor, since the work of a step for short arrays grows with n².
bool is_slow(const Implementation& i, const Operation& op, const Trial& trial) {
  return i.place == Place::simt && trial.n > kLong && !i.suited(op.shape(trial));
}

// Whether an implementation need not meet every value with every case: the executor takes a hundred times as long as the
// machine itself, and a kernel is one text for all types and operators. `tandem check` demands these pairs, too.
bool shares_cases(const Implementation& i) { return i.place == Place::simt && !thorough(); }

// The pairs that an implementation must meet.
PairCoverage pairs_of(const Implementation& i) {
  Axes axes = operation(i.operation).axes(kCoverage);
  if (shares_cases(i)) axes.leave_out("case");
  return PairCoverage(std::move(axes));
}

// All trials of an implementation; on the executor those that bring new pairs, to itself or with cases to its ladder, some of
// the others unless they are slow, and some again under two other schedules.
void add_jobs(const Implementation& i, PairCoverage& of_ladder, std::vector<Job>& jobs) {
  const Operation& op = operation(i.operation);
  PairCoverage pairs = pairs_of(i);
  for (std::size_t c = 0; c < op.cases.size(); ++c) {
    const CaseId id = op.cases[c];
    std::vector<Trial> all = op.tests(id, kCoverage, kSeed), quick;
    std::ranges::copy_if(all, std::back_inserter(quick), [&](const Trial& t) { return !is_slow(i, op, t); });
    const auto other_order = [&](int order, std::size_t first) {
      Job& job = jobs.emplace_back(Job{&i, static_cast<int>(c), {}, order});
      for (std::size_t t = first; t < all.size(); t += 8)
        job.trials.push_back(quick[t * quick.size() / all.size()]);
    };
    if (i.place == Place::simt)
      other_order(1, c % 8), other_order(2, (c + 4) % 8);  // other trials in every case
    std::size_t brought_nothing = c;                       // others in every case
    std::erase_if(all, [&](const Trial& trial) {
      if (!i.refusal(op.shape(trial), id).empty()) return false;
      const bool brings = trial.point.empty() || pairs.brings(trial.point) ||
                          (shares_cases(i) && of_ladder.brings(trial.point));
      if (!brings && (is_slow(i, op, trial) || (shares_cases(i) && ++brought_nothing % 8 != 0))) return true;
      pairs.executed(trial.point);
      if (i.place == Place::simt) of_ladder.executed(trial.point);
      return false;
    });
    jobs.push_back({&i, static_cast<int>(c), std::move(all)});
  }
}

// Every core takes jobs in turn, each with a context of its own.
std::map<const Implementation*, Tally> run_jobs(const std::vector<Job>& jobs) {
  std::map<const Implementation*, Tally> tallies;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < thread_count(); ++t) {
    threads.emplace_back([&] {
      Context ctx = Context::host();
      for (std::size_t j; (j = next++) < jobs.size();) {
        const Tally tally = run_job(jobs[j], ctx);
        const std::lock_guard lock(mutex);
        Tally& sum = tallies[jobs[j].implementation];
        sum.executed += tally.executed;
        sum.refused += tally.refused;
        sum.outside += tally.outside;
        sum.seconds += tally.seconds;
        sum.points.insert(sum.points.end(), tally.points.begin(), tally.points.end());
        sum.wrong.insert(sum.wrong.end(), tally.wrong.begin(), tally.wrong.end());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return tallies;
}

}  // namespace

TEST_SUITE_BEGIN("equivalence");

TEST_CASE("every available implementation agrees with the reference") {
  const std::clock_t start = std::clock();
  std::vector<Job> jobs;
  std::map<std::string_view, PairCoverage> ladders;  // what kernels of an operation meet together
  const auto ladder_of = [&](const Implementation& i) -> PairCoverage& {
    return ladders.try_emplace(i.operation, operation(i.operation).axes(kCoverage)).first->second;
  };
  bool complete = false;  // are all rows of the tree here, those of the executor included?
#if defined(TANDEM_HAS_SIMT) && !defined(TANDEM_HAS_ONLY_SOME)
  complete = true;
#endif
  // From the last step of a ladder to the first, which takes longest: who comes first meets what the ladder shares.
  const std::vector<Implementation>& all = implementations();
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    if (!i->unavailable().empty() || i->place == Place::device || i->path == "wrong") continue;
    add_jobs(*i, ladder_of(*i), jobs);
  }
  ladders.clear();
  long executed = 0, refused = 0, outside = 0, wrong = 0, met = 0, possible = 0;
  for (const auto& [implementation, tally] : run_jobs(jobs)) {
    PairCoverage pairs = pairs_of(*implementation);
    for (const auto& [point, ran] : tally.points) {
      ran ? pairs.executed(point) : pairs.refused(point);
      if (implementation->place != Place::simt) continue;
      ran ? ladder_of(*implementation).executed(point) : ladder_of(*implementation).refused(point);
    }
    met += pairs.met();
    possible += pairs.possible();
    if (kCoverage != Coverage::brief) {  // which is too short for all pairs
      for (const std::string& pair : pairs.open()) FAIL_CHECK(implementation->name, " never met ", pair);
    }
    fmt::print("{:<44} {:>6} cases executed {:>5} refused {:>7.1f} s\n", implementation->name, tally.executed,
               tally.refused, tally.seconds);
    executed += tally.executed;
    refused += tally.refused;
    outside += tally.outside;
    CHECK(tally.executed > 0);
    for (const std::string& text : tally.wrong) {
      if (++wrong <= kMostShown) FAIL_CHECK(text);
    }
  }
  for (const auto& [name, pairs] : ladders) {
    for (const std::string& pair : pairs.open()) FAIL_CHECK("no kernel of ", name, " met ", pair);
  }
  fmt::print("{} cases executed, {} refused by their implementation, {} outside its promise, {} wrong\n",
             executed, refused, outside, wrong);
  fmt::print("pairs of axis values: {} of {}\n", met, possible);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  fmt::print("{:.0f} s of processor time\n", seconds);
  CHECK(wrong == 0);
  if (complete) CHECK(executed >= 80000);
#ifndef TANDEM_SANITIZED
  CHECK(seconds < static_cast<double>(executed) * kSecondsPerCase);
#endif
}

#ifndef TANDEM_SANITIZED
// The trials of some operations end at 40,000 elements, as the executor takes long. Its rows are one text at any size, but those
// of a CPU go other ways where there is work for many threads.
TEST_CASE("rows of the CPU agree with the reference on arrays of 8 MB, too") {
  constexpr double kBytes = 8 << 20;  // read and written
  std::vector<Job> jobs;
  for (const auto& op : operations()) {
    const CaseId id = op->cases[0];
    std::vector<Trial> trials;
    for (std::int64_t n = 67; trials.empty() || op->work(id, trials[0]).bytes < kBytes; n *= 2) {
      trials = op->benchmarks(id, n, kSeed);
      REQUIRE(!trials.empty());
    }
    for (const Implementation* i : host_rows(op->name)) {
      if (i->place != Place::host) continue;
      Job job{i, 0, trials};
      std::erase_if(job.trials, [&](const Trial& trial) { return !i->suited(op->shape(trial)); });
      if (job.trials.empty())
        fmt::print("{:<44} is for others\n", i->name);
      else
        jobs.push_back(std::move(job));
    }
  }
  int ran = 0;
  for (const auto& [implementation, tally] : run_jobs(jobs)) {
    fmt::print("{:<44} {:>6} cases executed {:>5} refused {:>7.1f} s\n", implementation->name, tally.executed,
               tally.refused, tally.seconds);
    ran += tally.executed > 0;
    for (const std::string& text : tally.wrong) FAIL_CHECK(text);
  }
  CHECK(2 * ran > static_cast<int>(jobs.size()));  // libraries and textbook steps may refuse
}
#endif

TEST_SUITE_END();

}  // namespace tandem
