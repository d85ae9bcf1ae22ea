// The executor runs every block and every thread, in the order of its schedule and on all cores, within the
// limits of a GPU. Compiled as kernels are, so they stand here as lambdas beside what is expected.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/simt/schedules.h"

namespace tandem {
namespace {

using simt::Dim3;
using simt::KernelError;
using simt::Schedule;
using Order = Schedule::Order;

}  // namespace

TEST_SUITE_BEGIN("executor");

TEST_CASE("every thread of every block runs once with its indices") {
  const Dim3 grid(3, 2, 4), block(5, 3, 2);
  Memory<int> seen(3 * 2 * 4 * 5 * 3 * 2);
  int wrong = 0;
  simt::launch(grid, block, 0, "test/indices", [&] {
    wrong += blockDim.x != 5 || blockDim.y != 3 || blockDim.z != 2 || gridDim.x != 3 || gridDim.y != 2 ||
             gridDim.z != 4;
    const unsigned b = (blockIdx.z * 2 + blockIdx.y) * 3 + blockIdx.x;
    ++seen[b * 30 + (threadIdx.z * 3 + threadIdx.y) * 5 + threadIdx.x];
  });
  CHECK(wrong == 0);
  CHECK(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
}

TEST_CASE("schedules: forward and reverse as said, random a permutation from its seed") {
  const auto order = [](Schedule schedule) {
    Memory<unsigned> order(100);
    int next = 0;
    simt::set_schedule(schedule);
    simt::launch(1, 100, 0, "test/order", [&] { order[next++] = threadIdx.x; });
    simt::set_schedule({});
    return std::vector<unsigned>(order);
  };
  std::vector<unsigned> forward(100);
  std::iota(forward.begin(), forward.end(), 0u);
  CHECK(order({}) == forward);
  CHECK(order({Order::reverse}) == std::vector<unsigned>(forward.rbegin(), forward.rend()));
  std::vector<unsigned> random = order({Order::random, 7});
  CHECK(random != forward);
  CHECK(random == order({Order::random, 7}));
  CHECK(random != order({Order::random, 8}));
  std::sort(random.begin(), random.end());
  CHECK(random == forward);
}

TEST_CASE("OS threads each have their own executor") {
  std::vector<std::thread> threads;
  Memory<int> sums(4);
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&sums, number = k] {
      const int k = number;  // on the stack of this OS thread
      int* sum = &sums[static_cast<std::size_t>(k)];
      for (int round = 0; round < 50; ++round) {
        simt::launch(2, 128, 0, "test/parallel", [&] {
          __shared__ Shared<int, 128> tile;
          tile[threadIdx.x] = k;
          __syncthreads();
          if (threadIdx.x == 0) {
            for (int i = 0; i < 128; ++i) *sum += tile[i];
          }
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 4; ++k) CHECK(sums[k] == 50 * 2 * 128 * k);
}

TEST_CASE("launches outside the limits of a GPU are refused") {
  const auto refused = [](Dim3 grid, Dim3 block, std::size_t shared) {
    int ran = 0;
    const std::string message =
        thrown<KernelError>([&] { simt::launch(grid, block, shared, "test/limits", [&] { ++ran; }); });
    CHECK(message.starts_with("test/limits: "));
    CHECK(ran == 0);
    still_works();
    return message;
  };
  CHECK(contains(refused(0, 32, 0), "0 x 1 x 1 blocks"));
  CHECK(contains(refused({1, 0, 1}, 32, 0), "1 x 0 x 1 blocks"));
  CHECK(contains(refused(1, 0, 0), "0 x 1 x 1 threads"));
  CHECK(contains(refused(1, 1025, 0), "1025 x 1 x 1 threads"));
  CHECK(contains(refused(1, {32, 33, 1}, 0), "32 x 33 x 1 threads"));
  CHECK(contains(refused(1, {1u << 16, 1u << 16, 1}, 0), "threads"));
  CHECK(contains(refused({1, 65536, 1}, 32, 0), "65536"));
  CHECK(contains(refused({1, 1, 65536}, 32, 0), "65536"));
  CHECK(contains(refused(1, 32, 227 * 1024 + 1),
                 "232449 bytes of dynamic shared memory; a block can have 232448"));
  std::atomic<int> ran = 0;
  simt::launch(1, 1024, 227 * 1024, "test/limits", [&] { ++ran; });
  simt::launch({1, 65535, 1}, 1, 0, "test/limits", [&] { ++ran; });
  CHECK(ran == 1024 + 65535);
}

TEST_CASE("blocks of a large grid are shared by the cores, each with its own shared memory") {
  constexpr int kBlocks = 500;
  Memory<int> sums(kBlocks), order(kBlocks);
  for (const unsigned threads : {1u, 2u, 5u}) {
    simt::settings().os_threads = threads;
    std::fill(sums.begin(), sums.end(), 0);
    every_schedule(
        kBlocks, 64, 64 * sizeof(int),
        [&] {
          __shared__ Shared<int, 64> tile;
          auto dynamic = dynamic_shared<int>();
          tile[threadIdx.x] = dynamic[threadIdx.x] = static_cast<int>(blockIdx.x);
          __syncthreads();
          if (threadIdx.x > 0) return;
          for (int i = 0; i < 64; ++i) sums[blockIdx.x] += tile[i] + dynamic[63 - i];
        },
        [&] {
          for (int b = 0; b < kBlocks; ++b) CHECK(sums[b] == 128 * b);
          std::fill(sums.begin(), sums.end(), 0);
        });
  }
  simt::settings() = {};
}

TEST_CASE("blocks of a large grid may wait for earlier ones, and an error in one ends all") {
  constexpr unsigned kBlocks = 300;
  Memory<std::uint64_t> flags(kBlocks);
  simt::settings().os_threads = 3;
  const auto chain = [&](bool stuck) {
    std::fill(flags.begin(), flags.end(), 0);
    simt::launch(kBlocks, 32, 0, "test/chain", [&] {
      const unsigned b = blockIdx.x;
      if (b > 0) spin_until([&] { return load_relaxed(&flags[b - 1]) != 0; });
      if (threadIdx.x == 0 && !(stuck && b == 150)) store_relaxed(&flags[b], 1);
    });
  };
  chain(false);
  CHECK(flags[kBlocks - 1] == 1);
  CHECK(contains(thrown<KernelError>([&] { chain(true); }), "deadlock: of 32 threads 32 wait spinning at"));
  chain(false);
  simt::settings() = {};
}

TEST_SUITE_END();

}  // namespace tandem
