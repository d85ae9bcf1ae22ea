// Other programs keep every core busy: no path of our own, nor the automatic choice, takes more than twice the time of serial.

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "lib/harness/operation.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

/// As many processes as cores, which compute as long as this lives.
class BusyNeighbours {
 public:
  BusyNeighbours() {
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(300);  // not for ever, whatever happens to the test
        for (volatile unsigned work = 0;;) work = work + 1;
      }
      children_.push_back(child);
    }
  }
  ~BusyNeighbours() {
    for (const pid_t child : children_) kill(child, SIGKILL);
    for (const pid_t child : children_) waitpid(child, nullptr, 0);
  }

 private:
  std::vector<pid_t> children_;
};

/// A path, or the automatic choice, beside serial.
struct Pair {
  const Implementation* path;  // null: the automatic choice
  const Implementation* serial;
  const Operation* op;
  Trial trial;
  double allowed = 2;  // times the time of serial

  /// Time of a call ÷ that of serial. Calls of the two alternate for `least` seconds of each.
  double ratio(Context& ctx, double least = 0.005) const {
    using Clock = std::chrono::steady_clock;
    struct Calls {
      std::unique_ptr<Problem> problem;
      std::function<void()> once;
      double passed = 0;
      int calls = 0;
    };
    const auto calls_of = [&](const Implementation* forced) {
      Calls calls{op->make(ctx, 0, trial), {}};
      calls.once = [&, forced, problem = calls.problem.get()] {
        // Beside the automatic choice each call pays for making one, whatever it then runs.
        const Implementation* const chosen = path ? nullptr : op->choose(ctx, 0, trial).implementation;
        run(forced ? *forced : *chosen, 0, problem->args(), ctx, "timed");
      };
      calls.problem->reset();
      calls.once();
      return calls;
    };
    Calls both[] = {calls_of(path), calls_of(serial)};
    std::minstd_rand random;
    while (both[0].passed < least || both[1].passed < least) {
      for (Calls& calls : both) {
        const auto start = Clock::now();
        // Some 20 to 320 µs at once, at random, so that the system does not stop the same of the two each time.
        const double group = 20e-6 * static_cast<double>(1 + random() % 16);
        for (double now = 0; now < group; now = std::chrono::duration<double>(Clock::now() - start).count()) {
          for (int i = 0; i < 4; ++i) calls.once();
          calls.calls += 4;
        }
        calls.passed += std::chrono::duration<double>(Clock::now() - start).count();
      }
    }
    return both[0].passed / both[0].calls / (both[1].passed / both[1].calls);
  }
};

std::vector<std::int64_t> sizes(const Operation& op) {
  return op.extents.empty() ? std::vector<std::int64_t>{100, 10'000, 300'000, 2'000'000}
                            : std::vector<std::int64_t>{8, 100, 500};
}

/// No pair takes more than it may beside busy neighbours.
void check_busy(std::vector<Pair>& pairs, Context& ctx) {
  // A step that does more work than serial on an idle machine, as a bitmap of few ids, may do so here; not the choice.
  for (Pair& pair : pairs) {
    if (!pair.path) continue;
    for (int attempt = 0; attempt < 3; ++attempt) pair.allowed = std::max(pair.allowed, 2 * pair.ratio(ctx));
  }
  const BusyNeighbours neighbours;
  for (const Pair& pair : pairs) {
    // Up to five attempts, each over a longer time: the neighbours take a core for milliseconds at a time.
    double ratio = 1e30;
    for (int attempt = 0; attempt < 5 && ratio > pair.allowed; ++attempt)
      ratio = std::min(ratio, pair.ratio(ctx, 0.005 * (1 << attempt)));
    CHECK_MESSAGE(ratio <= pair.allowed,
                  (pair.path ? *pair.path : *pair.op->choose(ctx, 0, pair.trial).implementation).name, " ",
                  pair.trial.str(), ": ", ratio, " times serial's time");
  }
  MESSAGE(pairs.size(), " paths and shapes beside ", std::thread::hardware_concurrency(), " busy processes");
}

bool takes(const Implementation& i, const Operation& op, const Trial& trial) {
  return i.refusal(op.shape(trial), op.cases[0]).empty();
}

}  // namespace

TEST_SUITE_BEGIN("busy");

TEST_CASE("on a busy machine no path takes more than twice serial's time") {
  Context ctx = Context::host();
  std::vector<Pair> pairs;
  const auto rows = host_rows();
  for (const Implementation* i : rows) {
    if (i->path != "custom" || i->place != Place::host || i->name.ends_with("/serial")) continue;
    const auto serial = std::ranges::find(rows, i->operation + "/custom/serial", &Implementation::name);
    REQUIRE(serial != rows.end());
    const Operation& op = operation(i->operation);
    for (const std::int64_t n : sizes(op)) {
      const Trial trial = op.benchmarks(op.cases[0], n, 1).front();
      if (takes(*i, op, trial)) pairs.push_back({i, *serial, &op, trial});
    }
  }
  check_busy(pairs, ctx);
}

TEST_CASE("on a busy machine the automatic choice takes no more than twice serial's time") {
  Context ctx = Context::host();
  std::vector<Pair> pairs;
  for (const Implementation* serial : host_rows()) {
    if (serial->place != Place::host || !serial->name.ends_with("/custom/serial")) continue;
    const Operation& op = operation(serial->operation);
    for (const std::int64_t n : sizes(op)) {
      for (const Trial& trial : op.benchmarks(op.cases[0], n, 1)) {
        if (takes(*serial, op, trial)) pairs.push_back({nullptr, serial, &op, trial});
      }
    }
  }
  check_busy(pairs, ctx);
}

TEST_SUITE_END();

}  // namespace tandem
