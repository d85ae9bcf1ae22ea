#pragma once
// Runs a CUDA grid on one CPU thread. Every CUDA thread is a fibre that runs until it meets a barrier, a
// warp-synchronous call or its end; blocks run in order. Kernel files reach this through simt/cuda.h; tests
// and the command choose the schedule here.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>

#include "lib/core/error.h"
#include "lib/core/export.h"

namespace tandem::simt {

/// A kernel did something that no GPU has to put up with: a divergent barrier, a deadlock, an access out of
/// bounds.
class TANDEM_API KernelError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// In which order ready threads of a block run. Lanes of a warp never run in lock step, so a missing
/// __syncwarp shows.
struct Schedule {
  enum class Order { forward, reverse, random } order = Order::forward;
  std::uint64_t seed = 0;  // of random
};
/// Applies to later launches from this OS thread.
TANDEM_API void set_schedule(Schedule schedule);

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr Dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

using Site = std::source_location;

/// Runs `body` once for each thread of the grid. `kernel` names it in errors.
void launch(Dim3 grid, Dim3 block, std::size_t shared_bytes, const std::string& kernel,
            const std::function<void()>& body);

/// All threads of the block meet; returns the number of them that passed true.
int block_barrier(bool predicate, Site site);

enum class WarpCall : std::uint8_t { barrier, shuffle, shuffle_up, shuffle_down, shuffle_xor, ballot, match };
/// The lanes in `mask` meet; returns this lane's result. `argument` is the source lane, the distance or the
/// lane mask.
std::uint64_t warp_meet(WarpCall call, unsigned mask, std::uint64_t value, int argument, int width,
                        Site site);

/// Lets other threads run until `condition` holds.
void spin_until(const std::function<bool()>& condition, Site site);

/// Stops the running kernel with "<kernel>, block b, thread t: <text>".
[[noreturn]] void fail(const std::string& text);

std::byte* dynamic_shared_memory();
std::size_t dynamic_shared_bytes();
/// Changes with every block: lets shared arrays poison themselves when a new block first touches them.
std::uint64_t block_serial();

}  // namespace tandem::simt
