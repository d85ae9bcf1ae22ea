#pragma once
// For blocks that wait for each other (launch_together): each has an OS thread, and one of them runs at a time.

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tandem::simt {

class Turns {
 public:
  /// Blocks first, first + 1, …, or from the last one down.
  Turns(std::uint64_t first, unsigned blocks, bool descending);

  /// Waits for the first turn of a block.
  void begin(std::uint64_t block);
  /// Lets the others run until it is this block's turn again. False when no block can go on: all have had many turns
  /// without progress since one last made some.
  bool pass(std::uint64_t block, bool made_progress);
  /// This block has no more turns.
  void end(std::uint64_t block);

 private:
  void give(std::uint64_t block);
  bool is(std::uint64_t block) const { return turn_ == block - first_; }

  std::uint64_t first_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> ended_;
  unsigned step_;  // from a block to the next, modulo their number
  unsigned turn_;  // whose it is
  unsigned left_, idle_turns_ = 0;
};

}  // namespace tandem::simt
