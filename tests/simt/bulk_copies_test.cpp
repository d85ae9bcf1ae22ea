// Bulk copies and mbarriers: what they move and order, and what is an error.

#include "tandem/device/bulk_copies.cuh"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lib/simt/trace.h"
#include "tests/simt/schedules.h"

namespace tandem {
namespace {

std::string here(const std::string& mark) { return marked(__FILE__, mark); }

}  // namespace

TEST_SUITE_BEGIN("bulk_copies");

TEST_CASE("a ring of slots: loaded, doubled and stored by three warps") {
  constexpr int kSlots = 3, kUses = 10, kSlot = 64;
  Memory<int> in(kUses * kSlot), out(kUses * kSlot);
  for (int i = 0; i < kUses * kSlot; ++i) in[i] = i;
  every_schedule(
      1, 96, kSlots * kSlot * sizeof(int),
      [&] {
        struct Rings {
          MbarrierRing<kSlots> loaded, doubled, stored;
        };
        __shared__ Shared<Rings, 1> shared;
        Rings& rings = shared[0];
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        if (threadIdx.x == 0) {
          rings.loaded.init(1);
          rings.doubled.init(32);
          rings.stored.init(1);
          fence_for_copies();
        }
        __syncthreads();
        const auto slot = [&](int k) { return &dynamic_shared<int>()[k % kSlots * kSlot]; };
        for (int k = 0; k < kUses; ++k) {
          if (warp == 0 && lane == 0) {
            if (k >= kSlots) rings.stored.wait(k - kSlots);
            rings.loaded[k].arrive_and_expect(kSlot * sizeof(int));
            bulk_load(slot(k), in.data() + k * kSlot, kSlot * sizeof(int), rings.loaded[k]);
          }
          if (warp == 1) {
            rings.loaded.wait(k);
            for (int i = lane; i < kSlot; i += 32) slot(k)[i] *= 2;
            fence_for_copies();
            rings.doubled[k].arrive();
          }
          if (warp == 2 && lane == 0) {
            rings.doubled.wait(k);
            bulk_store(out.data() + k * kSlot, slot(k), kSlot * sizeof(int));
            commit_bulk_stores();
            wait_for_bulk_reads<0>();
            rings.stored[k].arrive();
          }
        }
      },
      [&] {
        for (int i = 0; i < kUses * kSlot; ++i) REQUIRE(out[i] == 2 * i);
        out.assign(out.size(), 0);
      });
}

TEST_CASE("error: a bulk copy that is not aligned") {
  Memory<int> in(64);
  every_schedule_fails(1, 1, 256,
                       [&] {
                         __shared__ Shared<Mbarrier, 1> barrier;
                         barrier[0].init(1);
                         bulk_load(&dynamic_shared<int>()[0], in.data() + 1, 16, barrier[0]);  // @source
                       },
                       {"bulk copy at " + here("source") + ": its source, 0x", "not a multiple of 16 bytes"});
  every_schedule_fails(1, 1, 256, [&] { bulk_store(in.data(), &dynamic_shared<int>()[0], 12); },
                       {"its size, 0xc, is not a multiple of 16 bytes"});
}

TEST_CASE("error: a bulk copy past the end of an array") {
  Memory<int> in(64);
  every_schedule_fails(1, 1, 512,
                       [&] {
                         __shared__ Shared<Mbarrier, 1> barrier;
                         barrier[0].init(1);
                         bulk_load(&dynamic_shared<int>()[0], in.data(), 272, barrier[0]);
                       },
                       {"past the end of an allocation of 256"});
}

TEST_CASE("error: a phase that never ends, and more arrivals than a barrier has") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         __shared__ Shared<Mbarrier, 1> barrier;
                         if (threadIdx.x == 0) barrier[0].init(2);
                         __syncthreads();
                         if (threadIdx.x == 0) barrier[0].arrive();
                         barrier[0].wait(0);  // @never
                       },
                       {"deadlock: of 32 threads 32 wait spinning at " + here("never")});
  every_schedule_fails(1, 1, 0,
                       [] {
                         __shared__ Shared<Mbarrier, 1> barrier;
                         barrier[0].init(1);
                         barrier[0].arrive_and_expect(16);
                         barrier[0].arrive();  // @more
                       },
                       {"more arrivals at " + here("more") + " than the mbarrier's 1"});
}

#ifdef TANDEM_INSTRUMENTED
TEST_CASE("a bulk copy is one request, of whole lines and without bank conflicts") {
  Memory<int> in(256), out(256);
  const simt::Trace trace = simt::trace([&] {
    simt::launch(1, 32, 1024, "test/copied", [&] {
      __shared__ Shared<Mbarrier, 1> barrier;
      if (threadIdx.x != 0) return;
      barrier[0].init(1);
      barrier[0].arrive_and_expect(1024);
      bulk_load(&dynamic_shared<int>()[0], in.data(), 1024, barrier[0]);
      barrier[0].wait(0);
      bulk_store(out.data() + 4, &dynamic_shared<int>()[0], 512);  // begins in the middle of a sector
    });
  });
  REQUIRE(trace.launches.size() == 1);
  const simt::Requests& global = trace.launches[0].global;
  CHECK(global.requests == 2);
  const auto pieces = [](const int* first, std::uintptr_t bytes, std::uintptr_t size) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    return static_cast<std::int64_t>((begin + bytes - 1) / size - begin / size + 1);
  };
  CHECK(global.sectors == pieces(in.data(), 1024, 32) + pieces(out.data() + 4, 512, 32));
  CHECK(global.lines == pieces(in.data(), 1024, 128) + pieces(out.data() + 4, 512, 128));
  CHECK(global.bytes == 1024 + 512);
  CHECK(global.lane_use() == 1);
  const simt::Requests& shared = trace.launches[0].shared;
  CHECK(shared.extra_wavefronts() == 0);
  CHECK(shared.ways == 1);
}

TEST_CASE("what was loaded is a race for whoever has not waited") {
  Memory<int> in(64);
  const auto found = [&](bool waits) {
    return simt::races([&] {
      simt::launch(1, 64, 256, "test/raced", [&] {
        __shared__ Shared<Mbarrier, 1> barrier;
        if (threadIdx.x == 0) barrier[0].init(1);
        __syncthreads();
        int* const slot = &dynamic_shared<int>()[0];
        if (threadIdx.x == 0) {
          barrier[0].arrive_and_expect(256);
          bulk_load(slot, in.data(), 256, barrier[0]);
        }
        if (waits) barrier[0].wait(0);
        static_cast<void>(*const_cast<const volatile int*>(&slot[threadIdx.x]));  // @read
      });
    });
  };
  CHECK(found(true).empty());
  const auto races = found(false);
  REQUIRE(!races.empty());
  CHECK_MESSAGE(contains(races[0].str(), here("read")), races[0].str());
}
#endif

TEST_SUITE_END();

}  // namespace tandem
