// Work shared out among the threads of the CPU: everything once, whoever calls, whatever is thrown.

#include "lib/core/workers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support.h"

namespace tandem {
namespace {

/// How often each of n iterations was done; -1 added where two shared a worker's number.
std::vector<int> times_done(std::int64_t n, Pieces pieces) {
  std::vector<int> times(static_cast<std::size_t>(n));
  std::vector<std::atomic<int>> holders(static_cast<std::size_t>(most_workers()));
  parallel_for(n, pieces, [&](std::int64_t begin, std::int64_t end, int worker) {
    const bool alone = holders.at(static_cast<std::size_t>(worker))++ == 0;
    for (std::int64_t i = begin; i < end; ++i) times[static_cast<std::size_t>(i)] += alone ? 1 : -1;
    --holders[static_cast<std::size_t>(worker)];
  });
  return times;
}

bool all_once(std::int64_t n, Pieces pieces) {
  return times_done(n, pieces) == std::vector<int>(static_cast<std::size_t>(n), 1);
}

}  // namespace

TEST_SUITE_BEGIN("workers");

TEST_CASE("TANDEM_THREADS says how many threads there are") {
  if (const char* asked = std::getenv("TANDEM_THREADS")) CHECK(most_workers() == std::atoi(asked));
}

TEST_CASE("every iteration is done once") {
  for (const std::int64_t n : {0, 1, 2, 3, 7, 100, 12345}) {
    for (const Pieces pieces : {Pieces{}, Pieces{.size = 3}, Pieces{.size = 5000}, Pieces{.alone = 50}})
      CHECK_MESSAGE(all_once(n, pieces), n, " in pieces of ", pieces.size);
  }
}

TEST_CASE("many calls from several threads, and calls within calls") {
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> callers;
    for (int t = 0; t < 4; ++t) {
      callers.emplace_back([&] {
        for (int call = 0; call < 500; ++call) wrong += !all_once(200, {});
        parallel_for(20, {}, [&](std::int64_t begin, std::int64_t end, int) {
          for (; begin < end; ++begin) wrong += !all_once(50, {});
        });
      });
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("what a body throws comes out, and the next call works") {
  for (int call = 0; call < 200; ++call) {
    std::atomic<int> done{0};
    try {
      parallel_for(1000, {}, [&](std::int64_t begin, std::int64_t, int) {
        if (begin == 40) throw std::runtime_error("piece 40");
        ++done;
      });
      FAIL("nothing was thrown");
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "piece 40");
    }
    CHECK(done < 1000);
    CHECK(all_once(100, {}));
  }
}

TEST_CASE("pieces in turn: the calling thread is one worker after the other") {
  if (most_workers() == 1) return;
  std::vector<int> workers, done;
  {
    const auto begin = [&] {
      done.push_back(-1);
      return 1000;
    };
    const PiecesInTurn turns(begin, [&](int worker) { done.push_back(worker); });
    parallel_for(5, {.size = 2}, [&](std::int64_t, std::int64_t, int worker) { workers.push_back(worker); });
  }
  CHECK(workers == std::vector<int>{0, 1, 2 % most_workers()});
  CHECK(done == std::vector<int>{-1, 0, 1, 2 % most_workers()});
  CHECK(all_once(100, {}));
}

TEST_CASE("many pieces in turn: none is lost, and workers take no more turns than are allowed") {
  if (most_workers() == 1) return;
  for (const std::int64_t n : {63, 64, 65, 1000, 4097}) {
    CAPTURE(n);
    int turns_taken = 0;
    bool in_order = true;
    std::int64_t next = 0;
    const PiecesInTurn turns([] { return 64; }, [&](int) { ++turns_taken; });
    parallel_for(n, {.size = 1, .most = 1}, [&](std::int64_t begin, std::int64_t end, int worker) {
      in_order &= begin == next && worker == turns_taken % most_workers();
      next = end;
    });
    CHECK(in_order);
    CHECK(next == n);
    CHECK(turns_taken > 32);
    CHECK(turns_taken <= 64);
  }
}

TEST_CASE("a forked process does all by itself") {
  CHECK(all_once(1000, {}));  // the threads are there, in this process
  const pid_t child = fork();
  if (child == 0) _exit(most_workers() == 1 && all_once(1000, {}) ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_SUITE_END();

}  // namespace tandem
