#pragma once
// For blocks that wait for each other (launch_together): each has an OS thread, and one of them runs at a time.

#include <condition_variable>
#include <mutex>
#include <vector>

namespace tandem::simt {

class Turns {
 public:
  /// In which order: 0, 1, … or from the last block down.
  Turns(unsigned blocks, bool descending);

  /// Waits for the first turn of a block.
  void begin(unsigned block);
  /// Lets the others run until it is this block's turn again. False when no block can go on: all have had many turns
  /// without progress since one last made some.
  bool pass(unsigned block, bool made_progress);
  /// This block has no more turns.
  void end(unsigned block);

 private:
  void give(unsigned block);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> ended_;
  unsigned step_;  // from a block to the next, modulo their number
  unsigned turn_;  // whose it is
  unsigned left_, idle_turns_ = 0;
};

}  // namespace tandem::simt
