// Operations of all kinds from several threads for a long time: every result is right, and nothing is left
// behind. TANDEM_SOAK_OPERATIONS of them (default: as many as TANDEM_SOAK_SECONDS allows, 20 unless given).

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "lib/core/random_bits.h"
#include "tests/allocations.h"
#include "tests/host_rows.h"
#include "tests/known_calls.h"
#include "tests/support.h"

namespace tandem {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kThreads = 4;

// Sanitizers keep freed memory for a while.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

std::int64_t from_environment(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}

std::int64_t resident_bytes() {
  std::int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// What all threads share.
struct Soak {
  std::int64_t most_operations;
  Clock::time_point end;
  std::atomic<std::int64_t> operations = 0, wrong = 0;
  bool goes_on() const { return operations < most_operations && Clock::now() < end; }
};

/// Calls of random implementations in a context that is now and then replaced, refused calls among them.
void soak_in_thread(Soak& soak, std::uint64_t seed) {
  Ledger ledger;
  {
    Context data = Context::host(&ledger), ctx = Context::host(&ledger);
    const std::vector<KnownCall> calls = known_calls(data);
    std::vector<std::vector<std::string_view>> host(calls.size()), executor(calls.size());
    for (std::size_t c = 0; c < calls.size(); ++c) {
      calls[c].run(ctx, {});  // what the choice keeps of it is made
      for (const Implementation* i : host_rows(calls[c].operation)) {
        try {
          calls[c].run(ctx, i->name);
          soak.wrong += !calls[c].right();
          (i->place == Place::simt ? executor : host)[c].push_back(i->name);
        } catch (const Unavailable&) {
        }
      }
    }
    for (std::uint64_t draw = 0; soak.goes_on(); ++draw) {
      const std::uint64_t bits = random_bits(seed, draw);
      const std::size_t c = bits % calls.size();
      const auto& rows = bits >> 20 & 31 || executor[c].empty() ? host[c] : executor[c];
      const std::uint64_t choice = bits >> 32;
      if (choice % 100 == 0) {
        const Array<double> x(ctx, std::vector<double>(choice % 1000, 0.5));
        soak.wrong += x.to_vector() != std::vector<double>(choice % 1000, 0.5);
      }
      if (choice % 101 == 0) {
        try {
          calls[c].run(ctx, "nothing of this name");
          ++soak.wrong;
        } catch (const InvalidArgument&) {
        }
      }
      if (choice % 1009 == 0) ctx = Context::host(&ledger);
      calls[c].run(ctx, choice % 8 == 0 ? std::string_view() : rows[choice % rows.size()]);
      soak.wrong += !calls[c].right();
      ++soak.operations;
    }
  }
  soak.wrong += !ledger.live.empty() + static_cast<std::int64_t>(ledger.mismatches);
}

void soak_in_threads(Soak& soak) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back([&soak, t] { soak_in_thread(soak, t); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_SUITE_BEGIN("soak");

TEST_CASE("operations of all kinds from several threads: no wrong result, no leak") {
  const std::int64_t wanted = from_environment("TANDEM_SOAK_OPERATIONS", INT64_MAX);
  const std::chrono::seconds most(from_environment("TANDEM_SOAK_SECONDS", 20));
  // What a program makes once is made; that of the executor's helpers by a launch that has them all to itself.
  Soak alone{0, Clock::now()}, warm{2000, Clock::now() + most};
  soak_in_thread(alone, 0);
  soak_in_threads(warm);
  const std::int64_t live = operator_new.live, resident = resident_bytes();
  const auto start = Clock::now();
  Soak soak{wanted, start + most};
  soak_in_threads(soak);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const std::int64_t leaked = operator_new.live - live, grown = resident_bytes() - resident;
  fmt::print(
      "{} operations from {} threads in {:.0f} s: {} wrong, {} blocks leaked, memory grew by {:.1f} MB\n",
      soak.operations.load(), kThreads, seconds, soak.wrong.load(), leaked,
      static_cast<double>(grown) * 1e-6);
  CHECK(alone.wrong + warm.wrong == 0);
  CHECK(soak.wrong == 0);
  CHECK(leaked == 0);
  if (!kSanitized) CHECK(grown < 32 << 20);
  if (wanted != INT64_MAX) CHECK(soak.operations >= wanted);
}

TEST_SUITE_END();

}  // namespace tandem
