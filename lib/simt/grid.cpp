#include "lib/simt/grid.h"

#include <fmt/format.h>

#include <system_error>

#include "lib/simt/ranks.h"

namespace tandem::simt {

void Grid::end_turns(std::uint64_t b) {
  if (rank) rank->block_ended();
  turns->end(first_turn + b);
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  start_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}
bool Team::run(Grid& grid, unsigned threads) {
  std::unique_lock busy(busy_, std::defer_lock);
  if (grid.turns)
    busy.lock();
  else if (!busy.try_lock())
    return false;
  {
    const std::lock_guard lock(mutex_);
    try {
      while (helpers_.size() + 1 < threads) helpers_.emplace_back([this, me = helpers_.size()] { help(me); });
    } catch (const std::system_error&) {  // no more threads to be had
      if (grid.turns)
        throw KernelError(fmt::format("{}: no OS threads for {} blocks that wait for each other",
                                      grid.launch.implementation, threads));
      threads = static_cast<unsigned>(helpers_.size()) + 1;
    }
    grid_ = &grid;
    wanted_ = threads - 1;
    finished_ = 0;
    grid.working = static_cast<int>(threads);
    ++turn_;
  }
  start_.notify_all();
  work(grid);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return finished_ == wanted_; });
  return true;
}

void Team::work(Grid& grid) const {
  work_(grid);
  grid.progressed();  // whoever waits has one fewer to wait for
  --grid.working;
}
void Team::help(std::size_t me) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    start_.wait(lock, [&] { return quit_ || (turn_ != seen && me < wanted_); });
    if (quit_) return;
    seen = turn_;
    Grid& grid = *grid_;
    lock.unlock();
    work(grid);
    lock.lock();
    ++finished_;
    done_.notify_one();
  }
}

}  // namespace tandem::simt
