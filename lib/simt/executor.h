#pragma once
// Runs a CUDA grid on the CPU. Every CUDA thread runs as a plain call until it meets a barrier or a
// warp-synchronous call; from there on it lives in a fibre of its own. Kernel files reach this through
// simt/cuda.h; tests and the command choose the schedule here, and watch a run through an Observer.

#include <array>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

#include "tandem/error.h"
#include "tandem/export.h"

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
/// "forward", "reverse" or "random:SEED"; InvalidArgument lists them.
TANDEM_API Schedule parse_schedule(const std::string& text);

/// How later launches from this OS thread run.
struct Settings {
  Schedule schedule;
  int block = 0;            // threads per block, for kernels that take any power of two; 0: the kernel's own
  int resident_blocks = 8;  // what a kernel is told of each multiprocessor
  unsigned os_threads = 0;  // that share the blocks of a grid; 0: all cores
};
TANDEM_API Settings& settings();
inline void set_schedule(Schedule schedule) { settings().schedule = schedule; }

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr Dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

using Site = std::source_location;

inline constexpr std::size_t kMaxSharedBytes = 227 * 1024;  // per block on sm_90; static arrays up to 48 KB

/// One launch. `body(context)` is what each thread of the grid runs.
struct Launch {
  std::string implementation;  // names it in errors
  const void* kernel;          // address of the __global__ function
  Dim3 grid, block;
  std::size_t shared_bytes;  // dynamic
  void (*body)(const void* context);
  const void* context;
  bool early = false;     // takes its places while the launch before it drains
  bool together = false;  // its blocks may wait for each other
  unsigned cluster = 0;   // blocks of one; 0: the launch has no clusters
  int rank = -1;          // of over_ranks() (simt/ranks.h), which sets it; −1: elsewhere
  std::uint64_t first_block =
      0;  // what observers know block 0 as: over ranks, each block has a number of its own
};

// --- watching

enum class Space : std::uint8_t { global, shared };
/// Whom a fence or an atomic operation reaches.
enum class Scope : std::uint8_t { block, device, system };
/// Of an access; the last two are what a warp exchanges without memory (ballots and matches are votes).
enum class Kind : std::uint8_t { load, store, atomic, shuffle, vote };

struct Access {
  unsigned thread;  // in its block
  std::uint32_t site;
  std::uint64_t address;  // of shared memory: from the start of the block's
  std::uint32_t bytes;
  Space space;
  Kind kind;
  bool relaxed;         // may meet others of its kind: an atomic operation, or an atomic load or store
  std::uint64_t block;  // whose shared memory it is: the thread's own, or another of its cluster
  Scope scope;          // of a relaxed one
};

/// Where an access or a barrier stands in the source: known at once for calls (`file`), for loads and stores
/// by the address of the instruction, which simt/symbols.h turns into a line.
struct CodeSite {
  const void* instruction = nullptr;
  const char* file = nullptr;
  unsigned line = 0, column = 0;
};

enum class WarpCall : std::uint8_t { barrier, shuffle, shuffle_up, shuffle_down, shuffle_xor, ballot, match };

/// Lanes of a warp that have met.
struct WarpMeeting {
  unsigned warp, mask;
  WarpCall call;  // only a barrier orders the lanes' accesses
  CodeSite site;
  std::array<std::uint8_t, 32> source;  // of a shuffle: the lane whose value each lane gets; of a match: the
                                        // first one with the same value
};

/// Sees everything that matters to the memory system, in the order in which it happens. A watched launch runs
/// on one OS thread.
class TANDEM_API Observer {
 public:
  virtual ~Observer() = default;
  virtual void launch(const Launch&) {}
  /// What follows are launches of so many ranks, side by side. False: this one watches those of rank 0 alone.
  virtual bool over_ranks(int /*count*/) { return false; }
  virtual void block(std::uint64_t /*index*/, unsigned /*threads*/) {}
  virtual void block_end() {}
  /// Blocks that wait for each other take turns: what follows is of this one, which began before.
  virtual void block_again(std::uint64_t /*index*/) {}
  /// True: this lane has enough for now; let the rest of its warp catch up, then call `caught_up`.
  virtual bool access(const Access&) { return false; }
  virtual void caught_up(unsigned /*warp*/) {}
  /// Shared memory that others may read though nobody wrote it, because nothing depends on what it holds.
  virtual void unspecified(const Access&) {}
  virtual void block_barrier() {}
  virtual void warp_call(const WarpMeeting&) {}
  virtual void fence(unsigned /*thread*/, Scope) {}
  /// At an mbarrier in shared memory; beside the atomic operation on its word.
  virtual void mbarrier_arrived(unsigned /*thread*/, const void* /*mbarrier*/) {}
  virtual void mbarrier_waited(unsigned /*thread*/, const void* /*mbarrier*/) {}
  /// At the barrier of the cluster.
  virtual void cluster_arrived(unsigned /*thread*/) {}
  virtual void cluster_waited(unsigned /*thread*/) {}
};
/// Watches launches from this OS thread; nullptr: no more.
TANDEM_API void observe(Observer* observer);
TANDEM_API Observer* observer();

// --- for simt/cuda.h, simt/shared.h and the hooks

TANDEM_API void launch(const Launch& launch);

/// All threads of the block meet; returns the number of them that passed true.
TANDEM_API int block_barrier(bool predicate, Site site);

/// The lanes in `mask` meet; returns this lane's result. `argument` is the source lane, the distance or the
/// lane mask.
TANDEM_API std::uint64_t warp_meet(WarpCall call, unsigned mask, std::uint64_t value, int argument, int width,
                                   Site site);

/// The two halves of the barrier of the cluster.
TANDEM_API void cluster_arrive(Site site);
TANDEM_API void cluster_wait(Site site);
/// Which block of its cluster the thread's is, and whether there are others.
TANDEM_API unsigned rank_in_cluster();
TANDEM_API bool in_cluster();
/// Where block `rank` of the cluster has what this block has at `own`, in its shared memory.
TANDEM_API void* in_block(unsigned rank, const void* own, Site site);

/// Lets other threads run; called until the condition waited for holds.
TANDEM_API void spin(Site site);

TANDEM_API void fence(Scope scope);

// Atomic memory: bits of 4 or 8 bytes. note_atomic tells the observer of one operation; the others carry it
// out.
TANDEM_API void note_atomic(const void* address, unsigned bytes, Kind kind, Site site,
                            Scope scope = Scope::device);
TANDEM_API std::uint64_t atomic_load(const void* address, unsigned bytes);
TANDEM_API void atomic_store(void* address, unsigned bytes, std::uint64_t value);
TANDEM_API bool atomic_compare_exchange(void* address, unsigned bytes, std::uint64_t& expected,
                                        std::uint64_t desired);

/// Stops the running kernel with "<kernel>, block b, thread t: <text>".
[[noreturn]] TANDEM_API void fail(std::string text);
/// Stops the running kernel, or the program where none runs: an index outside an array of this type on the stack.
[[noreturn]] TANDEM_API void outside_array(std::int64_t index, const char* array, const char* file,
                                           std::uint32_t line);

/// A static shared array: gets its place in the block's shared memory when a launch first touches it.
struct SharedArray {
  std::uint64_t launch = 0;
  std::byte* place = nullptr;
};
/// Address of element `index`, checked against `count`.
TANDEM_API void* shared_element(SharedArray& array, std::int64_t index, std::int64_t count, std::size_t size);
[[noreturn]] TANDEM_API void outside_tile(std::int64_t row, std::int64_t column, std::int64_t rows,
                                          std::int64_t columns);
TANDEM_API void* dynamic_shared_element(std::int64_t index, std::size_t size);

/// Memory that a kernel on this OS thread may use and nobody looks at: the stacks of its threads, and while there is no
/// observer the allocations touched last. Most loads and stores end here, so the hooks ask before they call.
struct Unwatched {
  struct Range {
    const std::byte* begin = nullptr;
    std::size_t size = 0;
    bool holds(const std::byte* address, std::size_t bytes) const {
      const auto offset = std::size_t(address - begin);
      return offset < size && bytes <= size - offset;
    }
  };
  Range stacks;
  std::array<Range, 4> arrays;

  bool holds(const void* pointer, std::size_t bytes) const {
    const auto* address = static_cast<const std::byte*>(pointer);
    return stacks.holds(address, bytes) ||
           (is_aligned(address, bytes) &&
            (arrays[0].holds(address, bytes) || arrays[1].holds(address, bytes) ||
             arrays[2].holds(address, bytes) || arrays[3].holds(address, bytes)));
  }
  /// To the size of what is moved, as a GPU demands; 8 is enough for the 16-byte types of the host.
  static bool is_aligned(const std::byte* address, std::size_t bytes) {
    return (bytes & (bytes - 1)) != 0 ||
           (reinterpret_cast<std::uintptr_t>(address) & ((bytes < 8 ? bytes : 8) - 1)) == 0;
  }
};

/// A load or store of the kernel, from the compiler's instrumentation (hooks.cpp).
TANDEM_API void note_mbarrier(const void* mbarrier, bool arrived);
TANDEM_API void note_range(const void* address, std::size_t bytes, Kind kind, Site site);
TANDEM_API void note_unspecified(const void* address, std::size_t bytes, Site site);
TANDEM_API void note_access(const void* address, std::size_t bytes, bool write, const void* instruction);

}  // namespace tandem::simt

[[gnu::tls_model(
    "initial-exec")]] extern TANDEM_API constinit thread_local tandem::simt::Unwatched tandem_simt_unwatched;
