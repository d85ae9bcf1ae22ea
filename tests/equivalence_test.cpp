// Every implementation that can run here gives the reference's answer on every case, size, value class and
// alignment; those on the executor under other schedules too. What did not run is counted apart: skipped is
// not passed.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "lib/harness/operation.h"
#include "tests/support.h"

#ifdef TANDEM_HAS_SIMT
#include "lib/simt/executor.h"
#endif

namespace tandem {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kMostShown = 20;

// All trials of one case of one implementation, or every `step`-th of them under another schedule.
struct Job {
  const Implementation* implementation;
  int case_index;
  int order = 0;  // 0 forward, 1 reverse, 2 random
  std::size_t first = 0, step = 1;
};

struct Outcome {
  long executed = 0, refused = 0;
  double seconds = 0;
  std::vector<std::string> wrong;
};

Outcome run_job(const Job& job, Context& ctx) {
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
  Outcome outcome;
  const std::vector<Trial> trials = op.tests(id, Extent::quick, kSeed);
  for (std::size_t t = job.first; t < trials.size(); t += job.step) {
    if (!i.refusal(op.shape(trials[t]), id).empty()) {
      ++outcome.refused;
      continue;
    }
    const auto problem = op.make(ctx, job.case_index, trials[t]);
    const Verdict verdict = check(i, job.case_index, *problem, ctx, trials[t].n);
    ++outcome.executed;
    if (!verdict.correct) {
      outcome.wrong.push_back(
          fmt::format("{} {} {}{}: {}", i.name, id.str(), trials[t].str(), kNames[job.order], verdict.text));
    }
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

// Every core takes jobs in turn, each with a context of its own.
std::map<const Implementation*, Outcome> run_jobs(const std::vector<Job>& jobs) {
  std::map<const Implementation*, Outcome> outcomes;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      Context ctx = Context::host();
      for (std::size_t j; (j = next++) < jobs.size();) {
        const Outcome outcome = run_job(jobs[j], ctx);
        const std::lock_guard lock(mutex);
        Outcome& sum = outcomes[jobs[j].implementation];
        sum.executed += outcome.executed;
        sum.refused += outcome.refused;
        sum.seconds += outcome.seconds;
        sum.wrong.insert(sum.wrong.end(), outcome.wrong.begin(), outcome.wrong.end());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace

TEST_SUITE_BEGIN("equivalence");

TEST_CASE("every available implementation agrees with the reference") {
  std::vector<Job> jobs;
  bool complete = false;  // are all rows of the tree here, those of the executor included?
#if defined(TANDEM_HAS_SIMT) && !defined(TANDEM_HAS_ONLY_SOME)
  complete = true;
#endif
  for (const Implementation& i : implementations()) {
    if (!i.unavailable().empty() || i.place == Place::device || i.path == "wrong") continue;
    const auto cases = static_cast<int>(operation(i.operation).cases.size());
    for (int c = 0; c < cases; ++c) {
      jobs.push_back({&i, c});
      if (i.place != Place::simt) continue;
      const auto first = static_cast<std::size_t>(c);  // other trials in every case
      jobs.push_back({&i, c, 1, first % 8, 8});
      jobs.push_back({&i, c, 2, (first + 4) % 8, 8});
    }
  }
  long executed = 0, refused = 0, wrong = 0;
  for (const auto& [implementation, outcome] : run_jobs(jobs)) {
    fmt::print("{:<44} {:>6} cases executed {:>5} refused {:>7.1f} s\n", implementation->name,
               outcome.executed, outcome.refused, outcome.seconds);
    executed += outcome.executed;
    refused += outcome.refused;
    CHECK(outcome.executed > 0);
    for (const std::string& text : outcome.wrong) {
      if (++wrong <= kMostShown) FAIL_CHECK(text);
    }
  }
  fmt::print("{} cases executed, {} refused by their implementation, {} wrong\n", executed, refused, wrong);
  CHECK(wrong == 0);
  if (complete) CHECK(executed >= 20000);
}

TEST_SUITE_END();

}  // namespace tandem
