// Other programs keep every core busy: no path of our own, nor the automatic choice, takes more than twice the time of serial.

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

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

  /// Seconds of one call on the CPU: the mean over calls of `least` seconds.
  double seconds(const Implementation* i, Context& ctx, double least) const {
    using Clock = std::chrono::steady_clock;
    const auto problem = op->make(ctx, 0, trial);
    const auto call = [&] {
      run(i ? *i : *op->choose(ctx, 0, trial).implementation, 0, problem->args(), ctx, "timed");
    };
    problem->reset();
    call();
    const auto start = Clock::now();
    int calls = 0;
    double passed = 0;
    do {
      call();
      ++calls;
      passed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (passed < least);
    return passed / calls;
  }
  double ratio(Context& ctx, double least = 0.005) const {
    return seconds(path, ctx, least) / seconds(serial, ctx, least);
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
