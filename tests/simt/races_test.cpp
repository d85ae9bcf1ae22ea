// The race detector on every way of ordering two accesses.

#include "lib/simt/trace.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/simt/support.h"

#ifdef TANDEM_INSTRUMENTED

namespace tandem {
namespace {

using simt::Dim3;

template <class Body>
std::vector<simt::Race> races(Dim3 grid, Dim3 block, const Body& body) {
  std::vector<simt::Race> all;
  for (const auto order : {simt::Schedule::Order::forward, simt::Schedule::Order::reverse}) {
    simt::set_schedule({order, 0});
    const auto found = simt::races([&] { simt::launch(grid, block, 0, "test/raced", body); });
    if (order == simt::Schedule::Order::forward) all = found;
    CHECK(found.empty() == all.empty());  // whatever the schedule
  }
  simt::set_schedule({});
  return all;
}

std::string where(const std::string& mark) { return marked(__FILE__, mark); }

}  // namespace

TEST_SUITE_BEGIN("races");

TEST_CASE("block barrier: with it no race, without it one, with both lines") {
  const auto neighbours = [](bool barrier) {
    return races(1, 64, [=] {
      __shared__ Shared<int, 64> tile;
      tile[threadIdx.x] = 1;  // @written
      if (barrier) __syncthreads();
      static_cast<void>(*const_cast<const volatile int*>(&tile[threadIdx.x ^ 32]));  // @read
    });
  };
  CHECK(neighbours(true).empty());
  const auto found = neighbours(false);
  REQUIRE(!found.empty());
  std::string all;
  for (const auto& race : found) all += race.str() + "\n";
  CHECK_MESSAGE(contains(all, where("written")), all);
  CHECK_MESSAGE(contains(all, where("read")), all);
}

TEST_CASE("what follows the accesses that were asked for is not watched, and runs") {
  const auto found_among = [](std::uint64_t most) {
    int ran = 0;
    const auto found = simt::races(
        [&] {
          simt::launch(Dim3(1), Dim3(64), 0, "test/raced", [&] {
            __shared__ Shared<int, 64> tile;
            tile[threadIdx.x] = 1;
            static_cast<void>(*const_cast<const volatile int*>(&tile[threadIdx.x ^ 32]));
            if (threadIdx.x == 63) ran = 1;
          });
        },
        most);
    CHECK(ran == 1);
    return found.size();
  };
  CHECK(found_among(1) == 0);
  CHECK(found_among(1000) > 0);
  CHECK(found_among(1000) > 0);  // the next call watches again
}

TEST_CASE("warp barrier: __syncwarp orders its lanes alone, a shuffle orders nothing") {
  enum How { kSyncwarp, kShuffle, kHalf, kNothing };
  const auto neighbours = [](How how, unsigned distance) {
    return races(1, 64, [=] {
      __shared__ Shared<int, 64> tile;
      tile[threadIdx.x] = 1;
      if (how == kSyncwarp) __syncwarp();
      if (how == kShuffle) __shfl_xor_sync(0xffffffffu, 1, 1);
      if (how == kHalf) __syncwarp(threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u);
      tile[threadIdx.x ^ distance] = 2;
    });
  };
  CHECK(neighbours(kSyncwarp, 1).empty());
  CHECK(!neighbours(kSyncwarp, 32).empty());
  CHECK(!neighbours(kShuffle, 1).empty());
  CHECK(neighbours(kHalf, 8).empty());
  CHECK(!neighbours(kHalf, 16).empty());
  CHECK(!neighbours(kNothing, 1).empty());
}

TEST_CASE("between blocks: atomics meet, plain accesses race, fences on both sides order") {
  Memory<int> data(1), flag(1), value(4);
  int *total = data.data(), *ready = flag.data(), *v = value.data();
  CHECK(races(4, 32, [=] { atomicAdd(total, 1); }).empty());
  CHECK(!races(4, 32, [=] { *total = 1; }).empty());
  CHECK(!races(4, 32, [=] {
           if (blockIdx.x == 0)
             *total = 1;
           else
             atomicAdd(total, 1);
         }).empty());
  CHECK(races(4, 32, [=] { static_cast<void>(*const_cast<const volatile int*>(total)); }).empty());

  const auto last_block = [&](bool writers_fence, bool readers_fence) {
    *ready = 0;
    return races(4, 1, [=] {
      v[blockIdx.x] = 1;
      if (writers_fence) __threadfence();
      if (atomicAdd(ready, 1) % 4 != 3) return;
      if (readers_fence) __threadfence();
      for (int b = 0; b < 4; ++b) static_cast<void>(*const_cast<const volatile int*>(&v[b]));
    });
  };
  CHECK(last_block(true, true).empty());
  CHECK(!last_block(false, true).empty());
  CHECK(!last_block(true, false).empty());
}

TEST_CASE("between blocks: what a whole block wrote before its barrier is published by one thread") {
  Memory<int> flag(1), value(128);
  int *ready = flag.data(), *v = value.data();
  const auto last_block = [&](bool barrier) {
    *ready = 0;
    return races(4, 32, [=] {
      __shared__ Shared<bool, 1> last;
      v[blockIdx.x * 32 + threadIdx.x] = 1;
      if (barrier) __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        last[0] = atomicAdd(ready, 1) % 4 == 3;
      }
      __syncthreads();
      if (!last[0]) return;
      __threadfence();
      for (int i = threadIdx.x; i < 128; i += 32)
        static_cast<void>(*const_cast<const volatile int*>(&v[127 - i]));
    });
  };
  CHECK(last_block(true).empty());
  CHECK(!last_block(false).empty());
}

TEST_CASE("between blocks: a chain hands knowledge on") {
  Memory<std::uint64_t> flag(8);
  Memory<int> value(8);
  std::uint64_t* ready = flag.data();
  int* v = value.data();
  const auto chain = [&](bool fence) {
    std::fill(flag.begin(), flag.end(), 0);
    return races(8, 1, [=] {
      const unsigned b = blockIdx.x;
      if (b > 0) spin_until([&] { return load_relaxed(&ready[b - 1]) != 0; });
      __threadfence();
      for (unsigned earlier = 0; earlier < b; ++earlier)  // written by blocks that this one never met
        static_cast<void>(*const_cast<const volatile int*>(&v[earlier]));
      v[b] = 1;
      if (fence) __threadfence();
      store_relaxed(&ready[b], 1);
    });
  };
  CHECK(chain(true).empty());
  CHECK(!chain(false).empty());
}

TEST_CASE("between blocks: fences before the barrier, the atomic operation behind it") {
  Memory<int> flag(1), value(128);
  int *ready = flag.data(), *v = value.data();
  const auto last_block = [&](bool fence) {
    *ready = 0;
    return races(4, 32, [=] {
      __shared__ Shared<bool, 1> last;
      v[blockIdx.x * 32 + threadIdx.x] = 1;
      if (fence) __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) last[0] = atomicAdd(ready, 1) % 4 == 3;
      __syncthreads();
      if (!last[0]) return;
      __threadfence();
      for (int i = threadIdx.x; i < 128; i += 32)
        static_cast<void>(*const_cast<const volatile int*>(&v[127 - i]));
    });
  };
  CHECK(last_block(true).empty());
  CHECK(!last_block(false).empty());
}

TEST_CASE("an atomic word of shared memory orders nothing between blocks") {
  Memory<int> data(1);
  int* v = data.data();
  CHECK(!races(2, 1, [=] {
           __shared__ Shared<int, 1> word;
           word[0] = 0;
           __syncthreads();
           if (blockIdx.x == 0) *v = 1;
           __threadfence();
           atomicAdd(&word[0], 1);
           __threadfence();
           if (blockIdx.x == 1) static_cast<void>(*const_cast<const volatile int*>(v));
         }).empty());
}

TEST_CASE("shared memory that nobody wrote") {
  CHECK(!races(1, 1, [] {
           __shared__ Shared<int, 1> counter;
           atomicAdd(&counter[0], 1);
         }).empty());
  const auto found = races(1, 32, [] {
    __shared__ Shared<float, 64> tile;
    tile[threadIdx.x] = 1;
    __syncwarp();
    if (threadIdx.x == 3) static_cast<void>(*const_cast<const volatile float*>(&tile[40]));  // @unwritten
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].uninitialised);
  CHECK(
      contains(found[0].str(), where("unwritten") + " reads (block 0, thread 3) shared memory at byte 160"));
}

TEST_CASE("different bytes of one word do not race") {
  Memory<char> data(64);
  char* bytes = data.data();
  CHECK(races(1, 64, [=] { bytes[threadIdx.x] = 1; }).empty());
  CHECK(!races(1, 64, [=] { bytes[threadIdx.x / 2] = 1; }).empty());
}

TEST_SUITE_END();

}  // namespace tandem

#endif
