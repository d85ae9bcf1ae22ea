#include "lib/simt/turns.h"

namespace tandem::simt {
namespace {
constexpr unsigned kIdleTurns = 16;  // of each block
}

Turns::Turns(std::uint64_t first, unsigned blocks, bool descending)
    : first_(first),
      ended_(blocks),
      step_(descending ? blocks - 1 : 1),
      turn_(descending ? blocks - 1 : 0),
      left_(blocks) {}

void Turns::begin(std::uint64_t block) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is(block); });
}
bool Turns::pass(std::uint64_t block, bool made_progress) {
  std::unique_lock lock(mutex_);
  idle_turns_ = made_progress ? 0 : idle_turns_ + 1;
  if (idle_turns_ > kIdleTurns * left_) return false;
  give(block);
  changed_.wait(lock, [&] { return is(block); });
  return true;
}
void Turns::end(std::uint64_t block) {
  const std::lock_guard lock(mutex_);
  ended_[block - first_] = true;
  --left_;
  idle_turns_ = 0;
  if (left_ > 0) give(block);
}

void Turns::give(std::uint64_t block) {
  const auto blocks = static_cast<unsigned>(ended_.size());
  turn_ = static_cast<unsigned>(block - first_);
  do turn_ = (turn_ + step_) % blocks;
  while (ended_[turn_]);
  changed_.notify_all();
}

}  // namespace tandem::simt
