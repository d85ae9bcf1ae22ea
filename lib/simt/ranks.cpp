#include "lib/simt/ranks.h"

#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "lib/core/live_memory.h"

namespace tandem::simt {
namespace {
constinit thread_local LaunchingRank* this_rank = nullptr;
}

LaunchingRank* rank_of_this_thread() { return this_rank; }

void LaunchingRank::run(Grid& grid) {
  grid.rank = this;
  grid.turns = &all.turns;
  grid.first_turn = turn() + 1;
  blocks_left = grid.end;
  all.turns.add(grid.first_turn, grid.end);
  all.turns.end(turn());
  try {
    team.run(grid, static_cast<unsigned>(grid.end));
  } catch (...) {
    for (std::uint64_t b = 0; b < grid.end; ++b) grid.give_up(std::current_exception());
  }
  all.turns.begin(turn());  // from the end of its last block on
}

void over_ranks(int count, const std::function<void(int)>& work) {
  Observer* const watching = observer();
  const bool watches_all = watching && watching->over_ranks(count);
  const Settings given = settings();
  RanksTurns all{Turns(given.schedule)};
  std::mutex mutex;
  std::exception_ptr first;
  std::deque<LaunchingRank> ranks;
  std::vector<std::thread> threads;
  for (int r = 0; r < count; ++r) {
    ranks.emplace_back(r, all);
    all.turns.add(ranks.back().turn(), 1);
  }
  for (LaunchingRank& rank : ranks) {
    threads.emplace_back([&] {
      settings() = given;
      const live_memory::OfRank owner(rank.number);
      if (watches_all || rank.number == 0) observe(watching);
      this_rank = &rank;
      all.turns.begin(rank.turn());
      try {
        work(rank.number);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
      all.turns.end(rank.turn());
    });
  }
  all.turns.start();
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace tandem::simt
