#pragma once
// Several ranks in one process, for kernels that store into each other's memory.

#include <cstdint>
#include <functional>

#include "lib/simt/grid.h"
#include "tandem/export.h"

namespace tandem::simt {

/// Runs work(rank) for the ranks 0 … count − 1, each on an OS thread of its own, with the settings and the observer of the
/// caller, and memory that only its kernels may touch: what it allocates there. What they launch together (launch_together.cuh) runs side by side: one block of any rank, or the host code of
/// a rank between two launches, has its turn at a time, and the schedule says which is next; under a random one the turn
/// also passes where a block only meets its barrier. So no rank may wait for another outside of a kernel. Other launches run as
/// a whole. Throws the first error of a rank, once all have ended.
TANDEM_API void over_ranks(int count, const std::function<void(int rank)>& work);

// --- for the executor

/// What ranks share.
struct RanksTurns {
  Turns turns;
  std::uint64_t blocks = 0;  // launched so far: each has a number of its own
};

/// Runs blocks of a grid until none is left; what a Team does.
void run_blocks(Grid& grid);

struct LaunchingRank {
  LaunchingRank(int number, RanksTurns& all) : number(number), all(all) {}
  int number;
  RanksTurns& all;
  Team team{run_blocks};
  std::uint64_t blocks_left = 0;  // of the launch that runs

  /// Of the rank's host code; those of its blocks follow.
  std::uint64_t turn() const { return static_cast<std::uint64_t>(number) << 40; }
  void block_ended() {
    if (--blocks_left == 0) all.turns.add(turn(), 1);
  }
  /// Runs all blocks of a grid, beside what the other ranks run.
  void run(Grid& grid);
};
/// Null on an OS thread that is no rank's.
LaunchingRank* rank_of_this_thread();

}  // namespace tandem::simt
