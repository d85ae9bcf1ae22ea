// Blocks that wait for each other: they take turns, whatever the schedule, and are watched and counted as others are.

#include "tandem/device/launch_together.cuh"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "lib/simt/trace.h"
#include "tests/simt/schedules.h"

namespace tandem {
namespace {

using simt::Dim3;
using simt::KernelError;

constexpr unsigned kBlocks = 5, kRounds = 4;

template <class Body>
void together(unsigned blocks, unsigned threads, const Body& body) {
  simt::launch(Dim3(blocks), Dim3(threads), 0, "test/together", body, nullptr, false, true);
}

std::string here(const std::string& mark) { return marked(__FILE__, mark); }

}  // namespace

TEST_SUITE_BEGIN("together");

TEST_CASE("every block reads what all others wrote in the round before") {
  Memory<std::uint64_t> said(kBlocks * (kRounds + 1)), sums(kBlocks);
  const auto exchange = [&] {
    const unsigned b = blockIdx.x;
    __shared__ Shared<std::uint64_t, 1> sum;  // of a block
    std::uint64_t own = b + 1;
    for (unsigned round = 0; round < kRounds; ++round) {
      std::uint64_t* const row = &said[round * kBlocks];
      if (threadIdx.x == 0) {
        store_relaxed(&row[b], own);
        sum[0] = 0;
        for (unsigned other = 0; other < kBlocks; ++other) {
          spin_until([&] { return load_relaxed(&row[other]) != 0; });
          sum[0] += load_relaxed(&row[other]);
        }
      }
      __syncthreads();
      own = sum[0] + b;
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[b] = own;
  };
  std::vector<std::uint64_t> expected(kBlocks);
  std::iota(expected.begin(), expected.end(), 1);
  for (unsigned round = 0; round < kRounds; ++round) {
    const auto sum = std::accumulate(expected.begin(), expected.end(), std::uint64_t{0});
    for (unsigned b = 0; b < kBlocks; ++b) expected[b] = sum + b;
  }
  for (const simt::Schedule schedule : kSchedules) {
    simt::set_schedule(schedule);
    std::fill(said.begin(), said.end(), 0);
    together(kBlocks, 64, exchange);
    CHECK(static_cast<const std::vector<std::uint64_t>&>(sums) == expected);
    std::fill(said.begin(), said.end(), 0);
    CHECK(simt::races([&] { together(kBlocks, 64, exchange); }).empty());
  }
  simt::set_schedule({});
}

TEST_CASE("who watched blocks that take turns does not watch what their OS threads run next") {
  Memory<int> counts(64);
  static_cast<void>(simt::races([&] { together(3, 32, [&] { counts[blockIdx.x] = 0; }); }));
  std::fill(counts.begin(), counts.end(), 0);
  simt::settings().os_threads = 3;
  for (int k = 0; k < 20; ++k)
    simt::launch(64, 64, 0, "test/after", [&] {
      if (threadIdx.x == 0) counts[blockIdx.x] += 1;
    });
  simt::settings() = {};
  for (const int count : counts) CHECK(count == 20);
}

TEST_CASE("a condition that all lanes vote on: the others still get their turns") {
  Memory<std::uint64_t> flags(2);
  for (const simt::Schedule schedule : kSchedules) {
    simt::set_schedule(schedule);
    std::fill(flags.begin(), flags.end(), 0);
    together(2, 64, [&] {
      const unsigned b = blockIdx.x;
      if (threadIdx.x == 32) store_relaxed(&flags[b], 1);
      if (threadIdx.x < 32)
        spin_until([&] { return __all_sync(0xffffffffu, load_relaxed(&flags[1 - b]) != 0); });
    });
    CHECK(flags[0] + flags[1] == 2);
  }
  simt::set_schedule({});
}

TEST_CASE("a race between two blocks is found, and none where a fence stands between them") {
  Memory<std::uint64_t> flag(1);
  Memory<int> data(1);
  const auto handed_over = [&](bool fenced) {
    flag[0] = 0;
    return simt::races([&] {
      together(2, 32, [&] {
        if (threadIdx.x > 0) return;
        if (blockIdx.x == 1) {
          data[0] = 7;  // @hands
          if (fenced) __threadfence();
          store_relaxed(&flag[0], 1);
        } else {
          spin_until([&] { return load_relaxed(&flag[0]) != 0; });
          if (fenced) __threadfence();
          static_cast<void>(*const_cast<const volatile int*>(&data[0]));  // @takes
        }
      });
    });
  };
#ifdef TANDEM_INSTRUMENTED
  CHECK(handed_over(true).empty());
  const auto found = handed_over(false);
  REQUIRE(found.size() == 1);
  CHECK_MESSAGE(contains(found[0].str(), here("hands")), found[0].str());
  CHECK_MESSAGE(contains(found[0].str(), here("takes")), found[0].str());
#endif
}

TEST_CASE("a trace counts the requests of each block by itself") {
  Memory<std::uint64_t> flags(kBlocks);
  Memory<int> values(kBlocks * 64);
  const auto trace = simt::trace([&] {
    together(kBlocks, 64, [&] {
      const unsigned b = blockIdx.x, t = threadIdx.x;
      values[b * 64 + t] = 1;
      if (t == 0) store_relaxed(&flags[b], 1);
      if (t == 0) spin_until([&] { return load_relaxed(&flags[(b + 1) % kBlocks]) != 0; });
      __syncthreads();
      values[b * 64 + t] = 2;
    });
  });
#ifdef TANDEM_INSTRUMENTED
  REQUIRE(trace.launches.size() == 1);
  CHECK(trace.races.empty());
  CHECK(trace.launches[0].barriers == kBlocks);
  std::int64_t stores = 0;
  for (const auto& line : trace.launches[0].lines) {
    if (line.kind == simt::Kind::store && line.counts.lanes > line.counts.requests) {
      stores += line.counts.requests;
      CHECK(line.counts.lanes == 32 * line.counts.requests);
    }
  }
  CHECK(stores == 2 * 2 * kBlocks);  // two stores of two warps
#endif
}

TEST_CASE("what cannot end or cannot start says so") {
  Memory<std::uint64_t> flag(1);
  for (const simt::Schedule schedule : kSchedules) {
    simt::set_schedule(schedule);
    const std::string never = thrown<KernelError>(
        [&] { together(3, 32, [&] { spin_until([&] { return load_relaxed(&flag[0]) != 0; }); }); });
    CHECK_MESSAGE(contains(never, "deadlock: of 32 threads 32 wait spinning at"), never);
    const std::string failed = thrown<KernelError>([&] {
      together(3, 32, [&] {
        if (blockIdx.x == 1) simt::fail("wrong on purpose");
        spin_until([&] { return load_relaxed(&flag[0]) != 0; });
      });
    });
    CHECK_MESSAGE(contains(failed, "block 1, thread"), failed);
    CHECK_MESSAGE(contains(failed, "wrong on purpose"), failed);
    still_works();
  }
  simt::set_schedule({});
  Context ctx = Context::host();
  void (*const kernel)(int) = [](int) {};
  CHECK(contains(thrown<KernelError>([&] { launch_together(ctx, 1000, 32, 0, kernel, 0); }),
                 "1000 blocks that wait for each other; 32 run at once"));
}

TEST_SUITE_END();

}  // namespace tandem
