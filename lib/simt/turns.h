#pragma once
// For blocks that wait for each other (launch_together, or those of several ranks): each has an OS thread, and one of them
// runs at a time.

#include <array>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "lib/core/random_bits.h"
#include "lib/simt/executor.h"

namespace tandem::simt {

class Turns {
 public:
  /// Who comes next: forward and reverse go round, random draws.
  explicit Turns(Schedule schedule) : schedule_(schedule) {}

  /// first, first + 1, … take turns from now on. Called by whoever's turn it is, or before anybody's.
  void add(std::uint64_t first, std::uint64_t count);
  /// Gives the first turn.
  void start();
  /// Waits for a turn.
  void begin(std::uint64_t id);
  /// Lets the others run until it is this one's turn again. False when nobody can go on: all have had many turns
  /// without progress since one last made some.
  bool pass(std::uint64_t id, bool made_progress);
  /// This one has no more turns.
  void end(std::uint64_t id);
  /// Whether to pass the turn even after progress, so that what others do comes between.
  bool mixes() const { return schedule_.order == Schedule::Order::random; }

 private:
  std::condition_variable& changed(std::uint64_t id) {
    return changed_[random_bits(0, id) % changed_.size()];
  }
  void give(std::uint64_t last);

  Schedule schedule_;
  std::mutex mutex_;
  std::array<std::condition_variable, 64>
      changed_;                         // few of those who wait hear of a turn that is not theirs
  std::vector<std::uint64_t> waiting_;  // and the one whose turn it is, in ascending order
  std::uint64_t turn_ = ~std::uint64_t{0};
  std::uint64_t drawn_ = 0, idle_turns_ = 0;
};

}  // namespace tandem::simt
