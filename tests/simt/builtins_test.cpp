// What kernels may use works under every schedule: barriers, warp calls, atomics, shared memory, waiting for
// each other. Compiled as kernels are, so they stand here as lambdas beside what is expected.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "tests/simt/schedules.h"

namespace tandem {
TEST_SUITE_BEGIN("builtins");

TEST_CASE("block barriers") {
  Memory<int> data(256), out(256);
  every_schedule(
      1, 256, 0,
      [&] {
        const unsigned t = threadIdx.x;
        data[t] = static_cast<int>(t);
        for (int round = 0; round < 5; ++round) {
          __syncthreads();
          const int next = data[(t + 1) % 256];
          __syncthreads();
          data[t] = next;
        }
        __syncthreads();
        out[t] = data[t];
      },
      [&] {
        for (int i = 0; i < 256; ++i) CHECK(out[i] == (i + 5) % 256);
      });
}

TEST_CASE("block barriers that count, or and and") {
  int wrong = 0;
  every_schedule(
      2, 100, 0,
      [&] {
        const int t = threadIdx.x;
        wrong += __syncthreads_count(t % 3 == 0) != 34;
        wrong += __syncthreads_count(t) != 99;  // any nonzero number is true
        wrong += __syncthreads_or(t == 57) == 0;
        wrong += __syncthreads_or(0) != 0;
        wrong += __syncthreads_and(t < 100) == 0;
        wrong += __syncthreads_and(t != 99) != 0;
        wrong += __syncthreads_and(-1) == 0;
      },
      [&] { CHECK(wrong == 0); });
}

TEST_CASE("shuffles, all widths and distances") {
  int wrong = 0;
  every_schedule(
      1, 64, 0,
      [&] {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, value = warp * 100 + lane;
        for (const int width : {2, 4, 8, 16, 32}) {
          const int segment = lane / width * width, own = lane - segment;
          for (int d = 0; d < 32; ++d) {
            const int base = warp * 100 + segment;
            wrong += __shfl_sync(0xffffffffu, value, d, width) != base + d % width;
            wrong += __shfl_up_sync(0xffffffffu, value, d, width) != base + (own >= d ? own - d : own);
            wrong +=
                __shfl_down_sync(0xffffffffu, value, d, width) != base + (own + d < width ? own + d : own);
            // lanes of earlier segments may be read by xor on hardware, those of later ones not
            if (d < width) wrong += __shfl_xor_sync(0xffffffffu, value, d, width) != base + (own ^ d);
          }
        }
        wrong += __shfl_sync(0xffffffffu, value * 1.5, 31) != (warp * 100 + 31) * 1.5;
        wrong += __shfl_down_sync(0xffffffffu, std::int64_t{1} << (lane + 1), 1) !=
                 std::int64_t{1} << (lane < 31 ? lane + 2 : 32);
        wrong += __shfl_up_sync(0xffffffffu, static_cast<float>(lane), 1) !=
                 static_cast<float>(lane ? lane - 1 : 0);
      },
      [&] { CHECK(wrong == 0); });
}

TEST_CASE("votes and matches") {
  int wrong = 0;
  every_schedule(
      1, 96, 0,
      [&] {
        const int lane = threadIdx.x % 32;
        unsigned multiples = 0;
        for (int l = lane % 3; l < 32; l += 3) multiples |= 1u << l;
        wrong += __ballot_sync(0xffffffffu, lane % 3 == 0) != 0x49249249u;
        wrong += __any_sync(0xffffffffu, lane == 13) == 0;
        wrong += __any_sync(0xffffffffu, 0) != 0;
        wrong += __all_sync(0xffffffffu, lane < 32) == 0;
        wrong += __all_sync(0xffffffffu, lane != 31) != 0;
        wrong += __match_any_sync(0xffffffffu, lane % 3) != multiples;
        wrong += __match_any_sync(0xffffffffu, std::int64_t{lane} << 40) != 1u << lane;
        wrong += __popc(multiples) != (lane % 3 < 2 ? 11 : 10);
        wrong += __clz(1) != 31 || __clz(0) != 32 || __ffs(0) != 0 || __ffs(8) != 4;
      },
      [&] { CHECK(wrong == 0); });
}

TEST_CASE("parts of a warp meet on their own, and warps do not wait for each other") {
  int wrong = 0;
  Memory<int> shared(64);
  every_schedule(
      1, 64, 0,
      [&] {
        const unsigned t = threadIdx.x;
        const int lane = static_cast<int>(t % 32);
        if (lane < 16) {
          wrong += __shfl_sync(0x0000ffffu, lane, 3) != 3;
          wrong += __ballot_sync(0x0000ffffu, 1) != 0x0000ffffu;
        } else {
          wrong += __shfl_xor_sync(0xffff0000u, lane, 1) != (lane ^ 1);
          if (lane >= 24) wrong += __match_any_sync(0xff000000u, 5) != 0xff000000u;
        }
        shared[t] = lane;
        __syncwarp();
        wrong += shared[t ^ 1] != (lane ^ 1);
      },
      [&] { CHECK(wrong == 0); });
  // The second warp takes another way with another number of warp calls.
  every_schedule(
      1, 40, 0,
      [&] {
        const int warps = threadIdx.x / 32;
        const unsigned mask = warps == 0 ? 0xffffffffu : 0xffu;
        for (int i = 0; i <= 3 * warps; ++i) wrong += __all_sync(mask, 1) == 0;
      },
      [&] { CHECK(wrong == 0); });
}

TEST_CASE("atomics return the old value") {
  struct {
    int add, smallest, largest, exchanged, swapped;
    unsigned wrapped, bits;
    float sum;
    unsigned long long wide;
  } out{};
  std::atomic<int> first = 0;
  every_schedule(
      4, 64, 0,
      [&] {
        const int t = threadIdx.x, i = static_cast<int>(blockIdx.x) * 64 + t;
        first += atomicAdd(&out.add, 1) == 0;
        atomicMin(&out.smallest, -i);
        atomicMax(&out.largest, i);
        atomicExch(&out.exchanged, 7);
        atomicCAS(&out.swapped, i, i + 1 == 256 ? 0 : out.swapped);
        atomicInc(&out.wrapped, 9u);
        atomicOr(&out.bits, 1u << i % 32);
        atomicAdd(&out.sum, 0.5f);
        atomicAdd(&out.wide, 1ull << 33);
        __threadfence();
        __threadfence_block();
      },
      [&] {
        CHECK(first == 1);
        CHECK(out.add == 256);
        CHECK(out.smallest == -255);
        CHECK(out.largest == 255);
        CHECK(out.exchanged == 7);
        CHECK(out.wrapped == 256 % 10);
        CHECK(out.bits == 0xffffffffu);
        CHECK(out.sum == 128);
        CHECK(out.wide == 256ull << 33);
        out = {};
        first = 0;
      });
  unsigned counter = 2;
  int value = 5;
  int wrong = 0;
  simt::launch(1, 1, 0, "test/old", [&] {
    wrong += atomicInc(&counter, 3) != 2;
    wrong += atomicInc(&counter, 3) != 3;
    wrong += counter != 0;
    wrong += atomicCAS(&value, 4, 9) != 5;
    wrong += value != 5;
    wrong += atomicCAS(&value, 5, 9) != 5;
    wrong += value != 9;
    wrong += atomicExch(&value, 1) != 9;
    wrong += atomicMin(&value, 3) != 1;
    wrong += atomicMax(&value, 3) != 1;
    wrong += value != 3;
  });
  CHECK(wrong == 0);
}

TEST_CASE("shared memory is poisoned for every block") {
  int wrong = 0;
  every_schedule(
      5, 32, 32 * sizeof(float),
      [&] {
        __shared__ Shared<float, 32> tile;
        __shared__ Shared<int, 7> numbers;
        auto dynamic = dynamic_shared<float>();
        const int t = threadIdx.x;
        wrong += !std::isnan(tile[t]) || !std::isnan(dynamic[t]) || numbers[t % 7] != -1;
        __syncthreads();
        tile[t] = dynamic[t] = 1;
        if (t < 7) numbers[t] = 1;
        __syncthreads();
        wrong += tile[31 - t] != 1 || dynamic[31 - t] != 1 || numbers[(t + 1) % 7] != 1;
      },
      [&] { CHECK(wrong == 0); });
}

TEST_CASE("dynamic shared memory has the size asked for") {
  int wrong = 0;
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{4}, std::size_t{1000}, std::size_t{227 * 1024}}) {
    simt::launch(1, 1, bytes, "test/dynamic", [&] {
      auto shared = dynamic_shared<int>();
      for (std::size_t i = 0; i < bytes / 4; ++i) shared[static_cast<std::int64_t>(i)] = 1;
      wrong += reinterpret_cast<std::uintptr_t>(bytes ? &shared[0] : nullptr) % 16 != 0;
    });
  }
  CHECK(wrong == 0);
}

TEST_CASE("threads may wait for each other through spin_until") {
  Memory<std::uint64_t> flags(64);
  int wrong = 0;
  every_schedule(
      1, 64, 0,
      [&] {
        const unsigned t = threadIdx.x;  // each waits for the next one
        if (t < 63) spin_until([&] { return load_relaxed(&flags[t + 1]) != 0; });
        store_relaxed(&flags[t], 1);
        if (t > 0) wrong += load_relaxed(&flags[0]) != (t == 0);
      },
      [&] {
        CHECK(wrong == 0);
        std::fill(flags.begin(), flags.end(), 0);
      });
}

TEST_SUITE_END();

}  // namespace tandem
