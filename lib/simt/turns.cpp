#include "lib/simt/turns.h"

namespace tandem::simt {
namespace {
constexpr unsigned kIdleTurns = 16;  // of each block
}

Turns::Turns(unsigned blocks, bool descending)
    : ended_(blocks), step_(descending ? blocks - 1 : 1), turn_(descending ? blocks - 1 : 0), left_(blocks) {}

void Turns::begin(unsigned block) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return turn_ == block; });
}
bool Turns::pass(unsigned block, bool made_progress) {
  std::unique_lock lock(mutex_);
  idle_turns_ = made_progress ? 0 : idle_turns_ + 1;
  if (idle_turns_ > kIdleTurns * left_) return false;
  give(block);
  changed_.wait(lock, [&] { return turn_ == block; });
  return true;
}
void Turns::end(unsigned block) {
  const std::lock_guard lock(mutex_);
  ended_[block] = true;
  --left_;
  idle_turns_ = 0;
  if (left_ > 0) give(block);
}

void Turns::give(unsigned block) {
  const auto blocks = static_cast<unsigned>(ended_.size());
  do block = (block + step_) % blocks;
  while (ended_[block]);
  turn_ = block;
  changed_.notify_all();
}

}  // namespace tandem::simt
