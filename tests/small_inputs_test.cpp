// Small inputs wake no thread: the automatic choice on the CPU does them on the thread that calls.

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lib/core/workers.h"
#include "lib/harness/operation.h"
#include "tests/host_rows.h"
#include "tests/support.h"

namespace tandem {
namespace {

/// How often threads of this process but the calling one were put on a core.
long wakes() {
  long sum = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    if (thread.path().filename() == std::to_string(gettid())) continue;
    std::ifstream file(thread.path() / "schedstat");
    long ran = 0, waited = 0, times = 0;  // nanoseconds, nanoseconds, how often
    if (file >> ran >> waited >> times) sum += times;
  }
  return sum;
}

void wait(int microseconds) { std::this_thread::sleep_for(std::chrono::microseconds(microseconds)); }

/// Libraries' threads, those of OpenBLAS say, stay awake for a while after they were started.
void wait_until_all_sleep() {
  for (long before = wakes(), again = 0; again < 1000; before = wakes(), ++again) {
    wait(200);
    if (wakes() == before) return;
  }
}

}  // namespace

TEST_SUITE_BEGIN("small_inputs");

TEST_CASE("the automatic choice wakes no thread for small inputs") {
  Context ctx = Context::host();
  for (const Implementation* serial : host_rows()) {
    if (serial->place != Place::host || !serial->name.ends_with("/custom/serial")) continue;
    const Operation& op = operation(serial->operation);
    const auto sizes =
        op.extents.empty() ? std::vector<std::int64_t>{1, 100, 400} : std::vector<std::int64_t>{1, 8, 30};
    for (int c = 0; c < static_cast<int>(op.cases.size()); ++c) {
      for (const std::int64_t n : sizes) {
        for (const Trial& trial : op.benchmarks(op.cases[static_cast<std::size_t>(c)], n, 1)) {
          const Implementation& chosen = *op.choose(ctx, c, trial).implementation;
          std::unique_ptr<Problem> problem;
          {
            const OneWorker alone;
            problem = op.make(ctx, c, trial);
            problem->reset();
          }
          // What wakes a thread does so each time; one of another library may stir by itself.
          long woken = 1;
          for (int attempt = 0; attempt < 3 && woken > 0; ++attempt) {
            wait_until_all_sleep();
            const long before = wakes();
            run(chosen, c, problem->args(), ctx, "small");
            wait(200);  // for one that was woken to come
            woken = wakes() - before;
          }
          CHECK_MESSAGE(woken == 0, chosen.name, " ", trial.str(), ": ", woken, " times");
        }
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace tandem
