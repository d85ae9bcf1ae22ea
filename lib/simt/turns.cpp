#include "lib/simt/turns.h"

#include <algorithm>

namespace tandem::simt {
namespace {
constexpr unsigned kIdleTurns = 16;       // of each
constexpr unsigned kIdleDrawnTurns = 64;  // of each on average
constexpr std::uint64_t kNobody = ~std::uint64_t{0};
}  // namespace

void Turns::add(std::uint64_t first, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  auto at = std::ranges::lower_bound(waiting_, first);
  for (std::uint64_t id = first; id < first + count; ++id) at = waiting_.insert(at, id) + 1;
  idle_turns_ = 0;
}
void Turns::start() {
  const std::lock_guard lock(mutex_);
  give(schedule_.order == Schedule::Order::reverse ? 0 : kNobody);
}
void Turns::begin(std::uint64_t id) {
  std::unique_lock lock(mutex_);
  changed(id).wait(lock, [&] { return turn_ == id; });
}
bool Turns::pass(std::uint64_t id, bool made_progress) {
  std::unique_lock lock(mutex_);
  idle_turns_ = made_progress ? 0 : idle_turns_ + 1;
  if (idle_turns_ > (mixes() ? kIdleDrawnTurns : kIdleTurns) * waiting_.size()) return false;
  give(id);
  changed(id).wait(lock, [&] { return turn_ == id; });
  return true;
}
void Turns::end(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  waiting_.erase(std::ranges::lower_bound(waiting_, id));
  idle_turns_ = 0;
  give(id);
}

// To the next one up or down from `last`, and round.
void Turns::give(std::uint64_t last) {
  if (waiting_.empty()) return;
  if (mixes()) {
    turn_ = waiting_[random_bits(schedule_.seed, drawn_++) % waiting_.size()];
  } else if (schedule_.order == Schedule::Order::reverse) {
    const auto at = std::ranges::lower_bound(waiting_, last);
    turn_ = at == waiting_.begin() ? waiting_.back() : *std::prev(at);
  } else {
    const auto at = std::ranges::upper_bound(waiting_, last);
    turn_ = at == waiting_.end() ? waiting_.front() : *at;
  }
  changed(turn_).notify_all();
}

}  // namespace tandem::simt
