// Clusters: their barrier, stores into a neighbour's shared memory, and what is an error.

#include "tandem/device/cluster.cuh"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lib/simt/trace.h"
#include "tandem/device/vector_access.cuh"
#include "tests/simt/schedules.h"

namespace tandem {
namespace {

using simt::Dim3;
using simt::KernelError;

constexpr unsigned kClusters = 3, kSize = 4, kThreads = 64;

template <class Body>
void clusters(unsigned size, const Body& body, unsigned number = kClusters) {
  simt::launch(Dim3(number * size), Dim3(kThreads), 0, "test/clusters", body, nullptr, true, false, size);
}

std::string here(const std::string& mark) { return marked(__FILE__, mark); }

/// A block's barrier, and values that its neighbours give it.
struct Inbox {
  Shared<Mbarrier, 1>& all_there;
  Shared<int, kSize>& values;

  void open() {
    if (threadIdx.x == 0) all_there[0].init(1);
    if (threadIdx.x == 0) all_there[0].arrive_and_expect(kSize * sizeof(int));
  }
  void give(unsigned rank, int value) {
    store_in_block(rank, values[rank_in_cluster()], value, all_there[0]);  // @gives
  }
};

}  // namespace

TEST_SUITE_BEGIN("cluster");

TEST_CASE("every block of a cluster gives every other one a value") {
  Memory<int> sums(kClusters * kSize);
  const auto exchange = [&] {
    // In another order in odd blocks: an array lies at the same place in all of them even so.
    __shared__ Shared<int, 8> first_in_odd_blocks;
    __shared__ Shared<Mbarrier, 1> all_there;
    __shared__ Shared<int, kSize> values;
    if (blockIdx.x % 2 == 1 && threadIdx.x < 8) first_in_odd_blocks[threadIdx.x] = 0;
    Inbox inbox{all_there, values};
    inbox.open();
    cluster_arrive();
    cluster_wait();
    if (threadIdx.x < kSize) inbox.give(threadIdx.x, static_cast<int>(10 * blockIdx.x + threadIdx.x));
    all_there[0].wait(0);
    if (threadIdx.x == 0) {
      int sum = 0;
      for (unsigned rank = 0; rank < kSize; ++rank) sum += values[rank];
      sums[blockIdx.x] = sum;
    }
  };
  for (const simt::Schedule schedule : kSchedules) {
    simt::set_schedule(schedule);
    std::fill(sums.begin(), sums.end(), 0);
    clusters(kSize, exchange);
    for (unsigned b = 0; b < kClusters * kSize; ++b) {
      const unsigned first = b / kSize * kSize;
      CHECK(sums[b] == static_cast<int>(10 * (4 * first + 6) + 4 * (b - first)));
    }
    CHECK(simt::races([&] { clusters(kSize, exchange); }).empty());
  }
  simt::set_schedule({});
}

TEST_CASE("the barrier of a cluster orders its blocks, and threads that have ended are not waited for") {
  Memory<int> data(kClusters * kSize), seen(kClusters * kSize);
  for (const unsigned size : {1u, 2u, kSize}) {
    const auto shift = [&] {
      if (threadIdx.x >= 40) return;
      for (int round = 1; round <= 3; ++round) {
        if (threadIdx.x == 33) data[blockIdx.x] = round * static_cast<int>(blockIdx.x);
        cluster_arrive();
        cluster_wait();
        const unsigned next = blockIdx.x / size * size + (blockIdx.x + 1) % size;
        if (threadIdx.x == 5) seen[blockIdx.x] = data[next];
        cluster_arrive();
        cluster_wait();
      }
    };
    for (const simt::Schedule schedule : kSchedules) {
      simt::set_schedule(schedule);
      clusters(size, shift);
      for (unsigned b = 0; b < kClusters * size; ++b)
        CHECK(seen[b] == static_cast<int>(3 * (b / size * size + (b + 1) % size)));
      CHECK(simt::races([&] { clusters(size, shift); }).empty());
    }
  }
  simt::set_schedule({});
}

TEST_CASE("a race between blocks of a cluster is found") {
  Memory<int> data(kClusters * kSize);
  const auto found = simt::races([&] {
    clusters(kSize, [&] {
      if (threadIdx.x == 0) data[blockIdx.x] = 1;
      cluster_arrive();
      if (threadIdx.x == 0)
        static_cast<void>(*const_cast<const volatile int*>(&data[blockIdx.x ^ 1]));  // before it waits
      cluster_wait();
    });
  });
  REQUIRE(!found.empty());
  CHECK(found[0].space == simt::Space::global);
}

TEST_CASE("a value that nobody waited for is a race on shared memory") {
  Memory<int> out(kClusters * 2);
  const auto found = simt::races([&] {
    clusters(2, [&] {
      __shared__ Shared<Mbarrier, 1> all_there;
      __shared__ Shared<int, kSize> values;
      if (threadIdx.x == 0) values[1] = 0;
      Inbox inbox{all_there, values};
      inbox.open();
      cluster_arrive();
      cluster_wait();
      if (threadIdx.x == 0 && rank_in_cluster() == 1) inbox.give(0, 7);
      cluster_arrive();
      cluster_wait();
      if (threadIdx.x == 0) out[blockIdx.x] = values[1];  // ordered by the cluster's barrier
      if (threadIdx.x == 0 && rank_in_cluster() == 0) inbox.give(1, 7);
      if (threadIdx.x == 0 && rank_in_cluster() == 1) out[blockIdx.x] = values[0];  // @early
      cluster_arrive();
      cluster_wait();
    });
  });
  REQUIRE(!found.empty());
  CHECK(found[0].space == simt::Space::shared);
  for (const simt::Race& race : found) CHECK_MESSAGE(contains(race.str(), here("early")), race.str());
}

template <class Body>
void fails(unsigned size, const Body& body, const std::string& part) {
  const std::string message = thrown<KernelError>([&] { clusters(size, body); });
  CHECK_MESSAGE(contains(message, part), "'", message, "' does not say '", part, "'");
}

TEST_CASE("errors") {
  const auto wait = [] {
    cluster_wait();  // @waits
  };
  fails(kSize, wait, "waits at the cluster's barrier at " + here("waits") + " and has not arrived");
  const auto arrive_twice = [] {
    cluster_arrive();
    cluster_arrive();  // @again
  };
  fails(kSize, arrive_twice, "arrives at the cluster's barrier at " + here("again") + " and has not waited");
  const auto arrive_in = [](unsigned rank) {
    return [rank] {
      __shared__ Shared<Mbarrier, 1> barrier;
      if (rank_in_cluster() > 0 || threadIdx.x > 0) return;
      barrier[0].init(1);
      arrive_in_block(rank, barrier[0]);  // @arrives
    };
  };
  fails(kSize, arrive_in(kSize), here("arrives") + ": block 4 of a cluster of 4");
  fails(kSize, arrive_in(3), here("arrives") + ": block 3 of the cluster has not begun or has ended");
  const auto miss_one = [] {
    if (blockIdx.x > 0 || threadIdx.x > 0) cluster_arrive();
    if (blockIdx.x == 0 && threadIdx.x == 0) spin_until([] { return false; });
    cluster_wait();
  };
  fails(kSize, miss_one, "deadlock");
  fails(
      9, [] {}, "cannot launch 27 blocks in clusters of 9; a cluster has 1 to 8");
  const auto launch = [](unsigned blocks, unsigned size) {
    return thrown<KernelError>([=] {
      simt::launch(
          blocks, kThreads, 0, "test/clusters", [] { cluster_arrive(); }, nullptr, true, false, size);
    });
  };
  CHECK(contains(launch(5, 2), "cannot launch 5 blocks in clusters of 2"));
  CHECK(contains(launch(2, 0), "the launch has none"));
  still_works();
}

TEST_SUITE_END();

}  // namespace tandem
