// The executor itself: what kernels may use works under every schedule, and what no GPU puts up with is an
// error that names the kernel and the place, after which the executor still works.
//
// Compiled as kernels are, so they stand here as lambdas beside what
// is expected.

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/simt/support.h"

namespace tandem {
namespace {

using simt::Dim3;
using simt::KernelError;
using simt::Schedule;
using Order = Schedule::Order;

constexpr Schedule kSchedules[] = {
    {Order::forward, 0}, {Order::reverse, 0}, {Order::random, 1}, {Order::random, 2}, {Order::random, 3}};

// Runs `body` for every thread under every schedule; `check` looks at the outcome of each run.
template <class Body, class Check>
void every_schedule(Dim3 grid, Dim3 block, std::size_t shared_bytes, Body body, Check check) {
  for (const Schedule schedule : kSchedules) {
    INFO("schedule ", static_cast<int>(schedule.order), " ", schedule.seed);
    simt::set_schedule(schedule);
    simt::launch(grid, block, shared_bytes, "test/kernel", body);
    check();
  }
  simt::set_schedule({});
}

// A kernel that needs everything: the executor must run it after any error.
void still_works() {
  Memory<int> out(3 * 96);
  simt::launch(3, 96, 96 * sizeof(int), "test/after", [&] {
    auto shared = dynamic_shared<int>();
    const int t = threadIdx.x;
    shared[t] = t;
    __syncthreads();
    int value = shared[95 - t];
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_xor_sync(0xffffffffu, value, distance);
    out[blockIdx.x * 96 + t] = value;
  });
  for (int i = 0; i < 3 * 96; ++i) CHECK(out[i] == 32 * (2 - i % 96 / 32) * 32 + 496);
}

// The message of the error that this kernel makes under each schedule; it must hold every part.
template <class Body>
void every_schedule_fails(Dim3 grid, Dim3 block, std::size_t shared_bytes, Body body,
                          const std::vector<std::string>& parts) {
  for (const Schedule schedule : kSchedules) {
    INFO("schedule ", static_cast<int>(schedule.order), " ", schedule.seed);
    simt::set_schedule(schedule);
    const std::string message =
        thrown<KernelError>([&] { simt::launch(grid, block, shared_bytes, "test/bad", body); });
    CHECK(message.starts_with("test/bad, block "));
    for (const std::string& part : parts)
      CHECK_MESSAGE(contains(message, part), "'", message, "' does not say '", part, "'");
    still_works();
  }
  simt::set_schedule({});
}

std::string here(const std::string& mark) { return marked(__FILE__, mark); }

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

TEST_CASE("error: a barrier that some threads never reach") {
  every_schedule_fails(2, 64, 0,
                       [] {
                         if (threadIdx.x != 40) __syncthreads();  // @never
                       },
                       {"a barrier that some threads never reach",
                        "of 64 threads 63 wait at the block barrier " + here("never"), "1 have ended"});
}

TEST_CASE("error: two different barriers at once") {
  every_schedule_fails(1, 64, 0,
                       [] {
                         if (threadIdx.x < 32) {
                           __syncthreads();  // @one
                         } else {
                           __syncthreads();  // @other
                         }
                       },
                       {"divergent barrier: this thread is at ", here("one"), here("other")});
}

TEST_CASE("error: a barrier in a loop that threads leave at different times") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         for (unsigned i = 0; i <= threadIdx.x / 16; ++i) __syncthreads();  // @loop
                       },
                       {"a barrier that some threads never reach", here("loop")});
}

TEST_CASE("error: a mask that names a lane which the block does not have") {
  every_schedule_fails(1, 48, 0,
                       [] {
                         __syncwarp();  // @absent
                       },
                       {"the mask 0xffffffff at " + here("absent"),
                        "names lane 16, which the block does not have", "thread "});
}

TEST_CASE("error: a mask that names a lane which has ended") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         if (threadIdx.x >= 20) return;
                         __shfl_down_sync(0xffffffffu, 1, 1);  // @ended
                       },
                       {here("ended"), "ended"});
}

TEST_CASE("error: a mask that leaves out the caller") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         __ballot_sync(0x0000fffeu, 1);  // @outside
                       },
                       {"0x0000fffe at " + here("outside"), "leaves out the calling lane"});
}

TEST_CASE("error: lanes of one mask at different calls") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         if (threadIdx.x % 2) {
                           __any_sync(0xffffffffu, 1);  // @any
                         } else {
                           __all_sync(0xffffffffu, 1);  // @all
                         }
                       },
                       {"deadlock: of 32 threads", "16 wait at the warp call " + here("any"),
                        "16 wait at the warp call " + here("all")});
}

TEST_CASE("error: a shuffle that reads a lane outside its mask") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         if (threadIdx.x < 16) __shfl_sync(0x0000ffffu, 1, 20);  // @unread
                       },
                       {"shuffle at " + here("unread"), "reads lane 20, which is not in its mask"});
}

TEST_CASE("error: waiting for what never comes") {
  std::uint64_t never = 0;
  every_schedule_fails(1, 64, 0,
                       [&] {
                         if (threadIdx.x == 5) {
                           spin_until([&] { return load_relaxed(&never) != 0; });  // @spin
                         }
                         __syncthreads();  // @rest
                       },
                       {"deadlock: of 64 threads", "1 wait spinning at " + here("spin"),
                        "63 wait at the block barrier " + here("rest")});
}

TEST_CASE("error: shared memory out of bounds") {
  for (const std::int64_t index : {std::int64_t{-1}, std::int64_t{64}, std::int64_t{1} << 40}) {
    every_schedule_fails(
        1, 64, 0,
        [=] {
          __shared__ Shared<float, 64> tile;
          tile[threadIdx.x == 33 ? index : 0] = 1;
        },
        {"block 0, thread 33: shared memory index " + std::to_string(index) + " is outside [0, 64)"});
    every_schedule_fails(
        1, Dim3(8, 8), 64 * sizeof(double),
        [=] {
          auto shared = dynamic_shared<double>();
          if (threadIdx.x == 3 && threadIdx.y == 2) shared[index] = 1;
        },
        {"block 0, thread (3, 2, 0): shared memory index " + std::to_string(index) + " is outside [0, 64)"});
  }
}

TEST_CASE("error: in a later block, with its number") {
  every_schedule_fails(5, 32, 0,
                       [] {
                         __shared__ Shared<float, 32> tile;
                         tile[threadIdx.x + (blockIdx.x == 3)] = 1;
                       },
                       {"block 3, thread 31: shared memory index 32 is outside [0, 32)"});
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

TEST_CASE("static shared memory beyond 48 KB is refused") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         __shared__ Shared<double, 6144> full;
                         __shared__ Shared<float, 1> more;
                         full[threadIdx.x] = 0;
                         more[0] = 0;
                       },
                       {"49156 bytes of static shared memory", "a block can have 49152 static"});
}

TEST_CASE("two-dimensional tiles check both indices") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         __shared__ Shared<float, 32, 33> tile;
                         tile[threadIdx.x][33] = 0;
                       },
                       {"[33] is outside [32][33]"});
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

TEST_CASE("error: global memory out of bounds, with the line and what is near") {
  Memory<float> in(100);
  const auto outcome = [&](std::int64_t index, bool write) {
    return thrown<KernelError>([&] {
      float* data = in.data();
      simt::launch(1, 64, 0, "test/bounds", [=] {
        if (threadIdx.x != 40) return;
        if (write)
          data[index] = 1;  // @store
        else
          data[0] = data[index];  // @load
      });
    });
  };
#ifdef TANDEM_INSTRUMENTED
  const std::string past = outcome(100, true);
  CHECK(contains(past, "test/bounds, block 0, thread 40: " + here("store") + " writes 4 bytes at 0x"));
  CHECK(contains(past, "0 bytes past the end of an allocation of 400"));
  const std::string before = outcome(-3, false);
  CHECK(contains(before, here("load") + " reads 4 bytes at 0x"));
  CHECK(contains(before, "12 bytes before an allocation of 400"));
  still_works();
#endif
}

TEST_SUITE_END();

}  // namespace tandem
