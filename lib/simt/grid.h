#pragma once
// A running launch, and the OS threads that share its blocks.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "lib/core/live_memory.h"
#include "lib/simt/clusters.h"
#include "lib/simt/executor.h"
#include "lib/simt/kernel_memory.h"
#include "lib/simt/turns.h"

namespace tandem::simt {

struct LaunchingRank;

/// One launch, as the OS threads that share its blocks see it.
struct Grid {
  const Launch& launch;
  Settings settings;
  std::vector<live_memory::Range> ranges;
  live_memory::Range launcher_stack;
  std::uint64_t end;     // of the blocks; who takes turns is given some of the grid's at a time
  std::uint64_t serial;  // of the launch
  Observer* observer;
  Turns* turns;                   // of blocks that wait for each other; null: they do not
  std::uint64_t first_turn = 0;   // of block 0
  LaunchingRank* rank = nullptr;  // whose launch it is (simt/ranks.h); null: nobody's
  std::optional<Clusters> clusters;
  SharedLayout layout;  // of blocks in clusters
  std::atomic<std::uint64_t> next = 0;
  std::atomic<bool> stop = false;
  // Deadlock: every OS thread at work has seen nothing but spinning since the last progress of any. The upper
  // bits count progress, the lowest 16 how many OS threads have confirmed that there was none since.
  std::atomic<int> working = 1;
  std::atomic<std::uint64_t> progress = 0;
  std::mutex mutex;
  std::exception_ptr error;

  void progressed() {
    std::uint64_t now = progress;
    while (!progress.compare_exchange_weak(now, ((now >> 16) + 1) << 16)) {
    }
  }
  /// For an OS thread that has only spun since `seen`; true when all have.
  bool all_confirm(std::uint64_t seen, bool first) {
    std::uint64_t now = progress;
    while (first && now >> 16 == seen >> 16 && !progress.compare_exchange_weak(now, now + 1)) {
    }
    now = progress;
    return now >> 16 == seen >> 16 && static_cast<int>(now & 0xffff) >= working;
  }
  void fail(std::exception_ptr e) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(e);
    stop = true;
  }
  /// For an OS thread that cannot run blocks: fails, and leaves no turn that nobody takes.
  void give_up(std::exception_ptr e) {
    fail(std::move(e));
    if (!turns) return;
    if (const std::uint64_t b = next++; b < end) {
      turns->begin(first_turn + b);
      end_turns(b);
    }
  }
  /// Block b has no more of them.
  void end_turns(std::uint64_t b);
};

/// OS threads that help with the blocks of large grids. One launch at a time has them.
class Team {
 public:
  /// `work` runs blocks until none is left; it reports errors to the grid.
  explicit Team(void (*work)(Grid&)) : work_(work) {}
  Team(const Team&) = delete;
  ~Team();
  /// False when another launch has the helpers, and nothing was run. Blocks that take turns wait for them.
  bool run(Grid& grid, unsigned threads);

 private:
  void work(Grid& grid) const;
  void help(std::size_t me);

  void (*work_)(Grid&);
  std::mutex busy_, mutex_;
  std::condition_variable start_, done_;
  std::vector<std::thread> helpers_;
  Grid* grid_ = nullptr;
  std::size_t wanted_ = 0, finished_ = 0;
  std::uint64_t turn_ = 0;
  bool quit_ = false;
};

}  // namespace tandem::simt
