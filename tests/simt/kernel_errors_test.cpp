// What no GPU puts up with is an error that names the kernel and the position, after which the executor still
// works. Compiled as kernels are, so they stand here as lambdas beside what is expected.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/simt/schedules.h"

namespace tandem {
namespace {

using simt::Dim3;
using simt::KernelError;

std::string here(const std::string& mark) { return marked(__FILE__, mark); }

}  // namespace

TEST_SUITE_BEGIN("kernel_errors");

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

TEST_CASE("error: an index outside an array on the stack") {
  every_schedule_fails(1, 32, 0,
                       [] {
                         int values[4] = {};
                         values[threadIdx.x / 7] = 1;  // @beyond
                         if (values[0] == 2) __syncwarp();
                       },
                       {"index 4 is outside 'int [4]' at " + here("beyond"), "thread "});
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

TEST_CASE("error: global memory out of bounds, with the line and what is near") {
  Memory<float> in(100);
  const auto outcome = [&](std::int64_t index, bool write, bool known = false) {
    return thrown<KernelError>([&] {
      float* data = in.data();
      simt::launch(1, 64, 0, "test/bounds", [=] {
        if (threadIdx.x != 40) return;
        if (known) data[1] = data[99];
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
  // The same where the array was touched just before, so that most accesses are not looked at.
  CHECK(contains(outcome(100, true, true), "0 bytes past the end of an allocation of 400"));
  CHECK(contains(outcome(-1, false, true), "4 bytes before an allocation of 400"));
  still_works();
#endif
}

TEST_CASE("error: a word that is cut by the end of an array, or not aligned") {
  Memory<float> in(99);
  const auto outcome = [&](std::int64_t bytes) {
    return thrown<KernelError>([&] {
      float* data = in.data();
      simt::launch(1, 1, 0, "test/words", [=] {
        data[1] = data[0];
        auto* word = reinterpret_cast<double*>(reinterpret_cast<char*>(data) + bytes);
        *word = 1;
      });
    });
  };
#ifdef TANDEM_INSTRUMENTED
  CHECK(contains(outcome(392), "writes 8 bytes at 0x"));
  CHECK(contains(outcome(4), "moves 8 bytes at 0x"));
  still_works();
#endif
}

TEST_SUITE_END();

}  // namespace tandem
