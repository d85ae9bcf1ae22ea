#pragma once
// Kernels of the executor's own tests, run under every schedule.

#include <string>
#include <vector>

#include "tests/simt/support.h"

namespace tandem {

inline constexpr simt::Schedule kSchedules[] = {{simt::Schedule::Order::forward, 0},
                                                {simt::Schedule::Order::reverse, 0},
                                                {simt::Schedule::Order::random, 1},
                                                {simt::Schedule::Order::random, 2},
                                                {simt::Schedule::Order::random, 3}};

/// Runs `body` for every thread under every schedule; `check` looks at the outcome of each run.
template <class Body, class Check>
void every_schedule(simt::Dim3 grid, simt::Dim3 block, std::size_t shared_bytes, Body body, Check check) {
  for (const simt::Schedule schedule : kSchedules) {
    INFO("schedule ", static_cast<int>(schedule.order), " ", schedule.seed);
    simt::set_schedule(schedule);
    simt::launch(grid, block, shared_bytes, "test/kernel", body);
    check();
  }
  simt::set_schedule({});
}

/// A kernel that needs everything: the executor must run it after any error.
inline void still_works() {
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

/// The message of the error that this kernel makes under each schedule; it must hold every part.
template <class Body>
void every_schedule_fails(simt::Dim3 grid, simt::Dim3 block, std::size_t shared_bytes, Body body,
                          const std::vector<std::string>& parts) {
  for (const simt::Schedule schedule : kSchedules) {
    INFO("schedule ", static_cast<int>(schedule.order), " ", schedule.seed);
    simt::set_schedule(schedule);
    const std::string message =
        thrown<simt::KernelError>([&] { simt::launch(grid, block, shared_bytes, "test/bad", body); });
    CHECK(message.starts_with("test/bad, block "));
    for (const std::string& part : parts)
      CHECK_MESSAGE(contains(message, part), "'", message, "' does not say '", part, "'");
    still_works();
  }
  simt::set_schedule({});
}

}  // namespace tandem
