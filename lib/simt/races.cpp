#include "lib/simt/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tandem::simt {
namespace {

constexpr unsigned kWarp = 32;
constexpr std::size_t kMostPairs = 1000;

/// How far a thread knows its block: all accesses before block barrier `epoch`; its own up to `time`; those
/// of the other lanes of its warp up to `lanes`. A thread's time advances whenever it meets or publishes.
struct Position {
  std::uint32_t epoch = 0, time = 0;
  std::array<std::uint32_t, kWarp> lanes{};
};
using Snapshot = std::shared_ptr<const Position>;

/// At the last fence of a thread: of the block, of the whole device, of the system.
using Fenced = std::array<Snapshot, 3>;
/// What all threads of a block had fenced when they met at its barrier.
using HandedOn = std::shared_ptr<const std::vector<std::pair<std::uint32_t, Fenced>>>;

struct SyncWord;
/// The first `releases` of what was published through a word are known to a thread.
struct Acquired {
  SyncWord* word;
  std::size_t releases;
  int fence;  // since then: 0 none, 1 of the block, 2 of the device, 3 of the system
};
using Known = std::shared_ptr<const std::vector<Acquired>>;

/// What one atomic write publishes.
struct Release {
  std::uint32_t block, thread;
  Snapshot now;        // what cannot be read again
  Fenced fenced;       // what was written before its last fence
  HandedOn handed_on;  // and before the fences that other threads of the block had before a barrier
  Known known;         // what the thread itself had acquired
  Known of_rank;       // and earlier launches of its rank
};
/// The releases of one thread, by number: each publishes all that those before it do.
struct Releaser {
  std::uint32_t block, thread;
  std::vector<std::uint32_t> numbers;

  /// The last one among the first `releases` of the word; −1 where there is none.
  std::int64_t last(std::size_t releases) const {
    const auto end = numbers.back() < releases ? numbers.end()
                                               : std::lower_bound(numbers.begin(), numbers.end(), releases);
    return end == numbers.begin() ? -1 : std::int64_t{*std::prev(end)};
  }
};
struct SyncWord {
  std::vector<Release> releases;
  std::vector<Releaser> releasers;
  std::unordered_map<std::uint64_t, std::uint32_t> of_thread;  // block << 32 | thread: which releaser
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_block;  // which releasers
};

/// By thread of the block, the time up to which its accesses are known; empty: none are.
using Clock = std::vector<std::uint32_t>;
void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t t = 0; t < other.size(); ++t) clock[t] = std::max(clock[t], other[t]);
}

struct ThreadState {
  Position position;
  Fenced fenced;
  std::vector<Acquired> acquired;
  Clock waited_for;  // through mbarriers
  // At the barrier of the cluster: how often the thread has arrived, and of which arrivals of all threads it knows.
  std::uint32_t arrivals = 0, known_arrivals = 0;
};

/// One earlier access of a word.
struct Cell {
  std::uint32_t block, epoch, time, arrivals, site;
  std::uint16_t thread;
  std::uint8_t bytes = 0;  // bit per byte of the word; 0: empty
  bool write : 1, relaxed : 1, atomic : 1, of_system : 1;
};
/// The accesses of a 4-byte word that a later one may race with. Four are enough to miss little: one that is
/// ordered before a new one at least as strong is dropped.
struct Word {
  std::array<Cell, 4> cells;
  std::uint32_t written_in = 0;  // block + 1
  std::uint8_t written = 0, turn = 0;
};

/// What is known of a block that has begun and not ended.
struct Block {
  std::uint32_t epoch = 0;
  bool any_fence = false;  // since its last barrier
  HandedOn handed_on;
  std::vector<ThreadState> threads;
  std::unordered_map<const void*, Clock> mbarriers;  // what those that arrived knew
  std::vector<Word> shared;
};

constexpr std::size_t kPageWords = 1024;

/// Blocks from `first` on, up to the next such, are of one launch of a rank.
struct LaunchOfRank {
  std::uint32_t first;
  int rank;
};
/// What is known of a rank, whose launches follow one another.
struct Rank {
  Known known;                     // what earlier launches had acquired
  std::vector<Acquired> acquired;  // in the one that runs, by blocks that have ended
};

}  // namespace

struct Races::State {
  std::uint64_t left;  // accesses still to be watched
  std::string kernel;
  std::uint32_t block = 0;  // the one that runs
  std::uint32_t cluster = 1;
  std::vector<Rank> ranks;             // none: launches follow one another
  std::vector<LaunchOfRank> launches;  // of all of them, by their blocks
  std::unordered_map<std::uint32_t, Block> blocks;
  Block* here = nullptr;
  std::vector<Word> spare;  // for the shared memory of the next block
  std::unordered_map<std::uint64_t, std::unique_ptr<std::array<Word, kPageWords>>> pages;
  std::uint64_t last_page = ~std::uint64_t{0};
  std::array<Word, kPageWords>* last = nullptr;
  std::map<std::pair<std::uint64_t, std::uint32_t>, SyncWord> sync;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, bool>, Race> found;

  // Nothing is known of what was before.
  void begin() {
    pages.clear();
    last_page = ~std::uint64_t{0};
    blocks.clear();
    spare.clear();
    sync.clear();
  }

  Word& word(const Access& a, std::uint64_t number) {
    if (a.space == Space::shared) {
      std::vector<Word>& shared =
          (a.block == block ? *here : blocks[static_cast<std::uint32_t>(a.block)]).shared;
      if (number >= shared.size()) shared.resize(number + 1);
      return shared[number];
    }
    const std::uint64_t page = number / kPageWords;
    if (page != last_page) {
      auto& entry = pages[page];
      if (!entry) entry = std::make_unique<std::array<Word, kPageWords>>();
      last_page = page;
      last = entry.get();
    }
    return (*last)[number % kPageWords];
  }

  // --- order ---

  static bool covers(const Position& p, std::uint32_t thread, const Cell& cell) {
    return cell.epoch < p.epoch || (cell.thread == thread && cell.time <= p.time) ||
           (cell.thread / kWarp == thread / kWarp && cell.time <= p.lanes[cell.thread % kWarp]);
  }
  // --- ranks ---

  const LaunchOfRank& launch_of(std::uint32_t of) const {
    return *std::prev(std::upper_bound(launches.begin(), launches.end(), of,
                                       [](std::uint32_t b, const LaunchOfRank& l) { return b < l.first; }));
  }
  int rank_of(std::uint32_t of) const { return ranks.empty() ? -1 : launch_of(of).rank; }
  Rank& rank() { return ranks[static_cast<std::size_t>(rank_of(block))]; }
  bool same_rank(std::uint32_t other) const { return ranks.empty() || rank_of(other) == rank_of(block); }
  // Of a launch before the one of block `of`, and of its rank.
  bool in_earlier_launch(std::uint32_t other, std::uint32_t of) const {
    return !ranks.empty() && rank_of(other) == rank_of(of) && other < launch_of(of).first;
  }

  // A later launch of the access's rank published something: that comes behind the access.
  bool covers_launch(const Acquired& acquired, const Cell& cell) const {
    if (ranks.empty()) return false;
    return std::ranges::any_of(acquired.word->releasers, [&](const Releaser& releaser) {
      if (!in_earlier_launch(cell.block, releaser.block)) return false;
      const std::int64_t number = releaser.last(acquired.releases);
      if (number < 0) return false;
      const Release& r = acquired.word->releases[static_cast<std::size_t>(number)];
      constexpr auto kSystem = static_cast<std::size_t>(Scope::system);
      return !cell.write || r.fenced[kSystem] ||
             (r.handed_on && std::ranges::any_of(*r.handed_on, [](const auto& other) {
                return other.second[kSystem] != nullptr;
              }));
    });
  }

  // Whether what was published through a word covers the access.
  bool covers(const Acquired& acquired, const Cell& cell) const {
    const Scope scope = cell.block == block     ? Scope::block
                        : same_rank(cell.block) ? Scope::device
                                                : Scope::system;
    const auto fenced = static_cast<std::size_t>(scope);
    if (acquired.fence < (cell.write ? 1 + static_cast<int>(scope) : 0)) return false;
    if (covers_launch(acquired, cell)) return true;
    const auto releasers = acquired.word->of_block.find(cell.block);
    if (releasers == acquired.word->of_block.end()) return false;
    return std::ranges::any_of(releasers->second, [&](std::uint32_t releaser) {
      const std::int64_t number = acquired.word->releasers[releaser].last(acquired.releases);
      if (number < 0) return false;
      const Release& r = acquired.word->releases[static_cast<std::size_t>(number)];
      const auto holds = [&](const Snapshot& p, std::uint32_t thread) {
        return p && covers(*p, thread, cell);
      };
      if (!cell.write) return holds(r.now, r.thread);
      if (holds(r.fenced[fenced], r.thread)) return true;
      return r.handed_on && std::any_of(r.handed_on->begin(), r.handed_on->end(), [&](const auto& other) {
               return holds(other.second[fenced], other.first);
             });
    });
  }
  // Without what was learnt from other blocks or warps through atomic words. (What an mbarrier orders follows from its word,
  // too, but a ring of them orders nearly all accesses of its kernel.)
  bool ordered_by_barriers(const Cell& cell, unsigned thread) const {
    const ThreadState& own = here->threads[thread];
    const bool same_cluster =
        cell.block == block || (cluster > 1 && cell.block / cluster == block / cluster);  // a division costs
    if (same_cluster && cell.arrivals < own.known_arrivals) return true;
    if (cell.block != block) return in_earlier_launch(cell.block, block);
    if (cell.thread == thread || cell.epoch < here->epoch) return true;
    if (cell.thread < own.waited_for.size() && cell.time <= own.waited_for[cell.thread]) return true;
    return cell.thread / kWarp == thread / kWarp && cell.time <= own.position.lanes[cell.thread % kWarp];
  }
  // From word to word: what a thread acquired, and what those who published had acquired before.
  bool ordered_by_words(const Cell& cell, unsigned thread) {
    std::vector<Acquired> open;
    const auto look_at = [&](const Known& known) {
      if (known) open.insert(open.end(), known->begin(), known->end());
    };
    if (!ranks.empty()) look_at(rank().known);
    const std::vector<Acquired>& own = here->threads[thread].acquired;
    open.insert(open.end(), own.begin(), own.end());
    struct Seen {
      std::int64_t followed = 0;               // releases whose own knowledge is in `open`, or was
      std::array<std::size_t, 4> looked_at{};  // releases, by the fence since then
    };
    std::unordered_map<const SyncWord*, Seen> seen;
    while (!open.empty()) {
      const Acquired a = open.back();
      open.pop_back();
      auto& [followed, looked_at] = seen[a.word];
      if (a.releases <= looked_at[static_cast<std::size_t>(a.fence)]) continue;
      for (int fence = 0; fence <= a.fence; ++fence) {
        std::size_t& most = looked_at[static_cast<std::size_t>(fence)];
        most = std::max(most, a.releases);
      }
      if (covers(a, cell)) return true;
      for (const Releaser& releaser : a.word->releasers) {
        const std::int64_t number = releaser.last(a.releases);
        if (number < followed) continue;
        const Release& r = a.word->releases[static_cast<std::size_t>(number)];
        look_at(r.of_rank);
        look_at(r.known);
      }
      followed = std::max(followed, static_cast<std::int64_t>(a.releases));
    }
    return false;
  }

  // --- access ---

  void check(const Access& a, Word& w, std::uint64_t number, std::uint8_t bytes) {
    const bool write = a.kind != Kind::load;
    if (a.space == Space::shared) {
      const auto owner = static_cast<std::uint32_t>(a.block);
      if (w.written_in != owner + 1) {
        w.written_in = owner + 1;
        w.written = 0;
        for (Cell& cell : w.cells) cell.bytes = 0;
      }
      if (a.kind != Kind::store && (bytes & ~w.written)) report(a, number, nullptr);
      if (write) w.written |= bytes;
    }
    Cell* place = nullptr;
    for (Cell& cell : w.cells) {
      if (cell.bytes == 0) {
        if (!place) place = &cell;
        continue;
      }
      bool before = ordered_by_barriers(cell, a.thread);
      const bool may_meet = a.relaxed && cell.relaxed &&
                            (same_rank(cell.block) || (a.scope == Scope::system && cell.of_system));
      const bool conflict = (cell.bytes & bytes) && (write || cell.write) && !may_meet;
      if (!before && conflict) {
        before = ordered_by_words(cell, a.thread);
        if (!before) report(a, number, &cell);
      }
      const bool weaker =
          (write || !cell.write) && (cell.relaxed || !a.relaxed) && (cell.bytes & ~bytes) == 0;
      if (before && weaker) {
        if (place) cell.bytes = 0;
        if (!place) place = &cell;
      }
    }
    if (!place) place = &w.cells[w.turn++ % w.cells.size()];
    *place = {block,
              here->epoch,
              here->threads[a.thread].position.time,
              here->threads[a.thread].arrivals,
              a.site,
              static_cast<std::uint16_t>(a.thread),
              bytes,
              write,
              a.relaxed,
              a.kind == Kind::atomic,
              a.scope == Scope::system};
  }

  std::uint64_t number_of(std::uint32_t of) const { return ranks.empty() ? of : of - launch_of(of).first; }
  void report(const Access& a, std::uint64_t number, const Cell* earlier) {
    const auto key = std::tuple{kernel, earlier ? earlier->site : 0u, a.site, earlier != nullptr};
    if (const auto known = found.find(key); known != found.end()) {
      ++known->second.count;
      return;
    }
    if (found.size() >= kMostPairs) return;
    Race race{kernel,   a.space, number * 4,
              !earlier, {},      {{}, a.site, a.kind, number_of(block), a.thread, rank_of(block)},
              1};
    if (earlier) {
      race.first = {{},
                    earlier->site,
                    earlier->atomic  ? Kind::atomic
                    : earlier->write ? Kind::store
                                     : Kind::load,
                    number_of(earlier->block),
                    earlier->thread,
                    rank_of(earlier->block)};
    }
    found.emplace(key, std::move(race));
  }

  // --- synchronisation ---

  // What the thread does from here on is not part of what it publishes.
  static Snapshot publish(ThreadState& thread) {
    auto position = std::make_shared<const Position>(thread.position);
    ++thread.position.time;
    return position;
  }
  // Several threads' knowledge as one: of each word what was published last.
  static void join(std::vector<Acquired>& all) {
    const auto key = [](const Acquired& a) { return std::pair{a.word, a.fence}; };
    std::sort(all.begin(), all.end(), [&](const Acquired& a, const Acquired& b) {
      return std::tuple{a.word, a.fence, b.releases} < std::tuple{b.word, b.fence, a.releases};
    });
    all.erase(
        std::unique(all.begin(), all.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
        all.end());
  }

  SyncWord& barrier_of_cluster();
  void acquire(unsigned t, SyncWord& word) {
    if (word.releases.empty()) return;
    for (Acquired& a : here->threads[t].acquired) {
      if (a.word == &word && a.fence == 0) {
        a.releases = word.releases.size();
        return;
      }
    }
    here->threads[t].acquired.push_back({&word, word.releases.size(), 0});
  }
  void release(unsigned t, SyncWord& word) {
    ThreadState& thread = here->threads[t];
    const auto [known_releaser, is_new] = word.of_thread.try_emplace(
        std::uint64_t{block} << 32 | t, static_cast<std::uint32_t>(word.releasers.size()));
    if (is_new) {
      word.of_block[block].push_back(known_releaser->second);
      word.releasers.push_back({block, t, {}});
    }
    word.releasers[known_releaser->second].numbers.push_back(
        static_cast<std::uint32_t>(word.releases.size()));
    Known known;
    if (!thread.acquired.empty()) known = std::make_shared<const std::vector<Acquired>>(thread.acquired);
    word.releases.push_back({block, t, publish(thread), thread.fenced, here->handed_on, std::move(known),
                             ranks.empty() ? nullptr : rank().known});
  }
};

Races::Races(std::uint64_t most_accesses) : state_(std::make_unique<State>()) {
  state_->left = most_accesses;
}
Races::~Races() = default;

void Races::launch(const Launch& launch) {
  State& s = *state_;
  s.kernel = function_name(launch.kernel);
  s.cluster = std::max(1u, launch.cluster);
  if (launch.rank < 0) s.ranks.clear();
  if (s.ranks.empty()) return s.begin();
  Rank& rank = s.ranks[static_cast<std::size_t>(launch.rank)];
  if (rank.known) rank.acquired.insert(rank.acquired.end(), rank.known->begin(), rank.known->end());
  State::join(rank.acquired);
  rank.known = std::make_shared<const std::vector<Acquired>>(std::move(rank.acquired));
  rank.acquired.clear();
  s.launches.push_back({static_cast<std::uint32_t>(launch.first_block), launch.rank});
}
bool Races::over_ranks(int count) {
  state_->begin();
  state_->ranks.assign(static_cast<std::size_t>(count), {});
  state_->launches.clear();
  return true;
}

void Races::block(std::uint64_t index, unsigned threads) {
  block_again(index);
  Block& here = *state_->here;
  here.threads.assign(threads, {});
  for (ThreadState& thread : here.threads) thread.position.time = 1;
  here.shared = std::move(state_->spare);
}
void Races::block_again(std::uint64_t index) {
  state_->block = static_cast<std::uint32_t>(index);
  state_->here = &state_->blocks[state_->block];
}
void Races::block_end() {
  if (!state_->ranks.empty()) {
    std::vector<Acquired>& all = state_->rank().acquired;
    for (const ThreadState& thread : state_->here->threads)
      all.insert(all.end(), thread.acquired.begin(), thread.acquired.end());
    State::join(all);
  }
  state_->spare = std::move(state_->here->shared);
  state_->blocks.erase(state_->block);
}

bool Races::access(const Access& a) {
  State& s = *state_;
  if (s.left == 0) return false;  // other ranks are watched until their launches end
  for (std::uint64_t at = a.address, end = a.address + a.bytes; at < end;) {
    const std::uint64_t number = at / 4, next = std::min(end, (number + 1) * 4);
    const auto bytes = static_cast<std::uint8_t>(((1u << (next - at)) - 1) << at % 4);
    s.check(a, s.word(a, number), number, bytes);
    at = next;
  }
  if (a.relaxed) {
    // Shared memory is another in every block.
    const bool shared = a.space == Space::shared;
    SyncWord& word = s.sync[{a.address, shared ? static_cast<std::uint32_t>(a.block) + 1 : 0}];
    if (a.kind != Kind::store) s.acquire(a.thread, word);
    if (a.kind != Kind::load) s.release(a.thread, word);
  }
  if (--s.left == 0) observe(nullptr);
  return false;
}

void Races::block_barrier() {
  State& s = *state_;
  ++s.here->epoch;
  if (std::exchange(s.here->any_fence, false)) {
    auto fenced = std::make_shared<std::vector<std::pair<std::uint32_t, Fenced>>>();
    for (std::uint32_t t = 0; t < s.here->threads.size(); ++t) {
      if (s.here->threads[t].fenced[0]) fenced->emplace_back(t, s.here->threads[t].fenced);
    }
    s.here->handed_on = std::move(fenced);
  }
  std::vector<Acquired> all;
  std::uint32_t known_arrivals = 0;
  for (const ThreadState& thread : s.here->threads) {
    known_arrivals = std::max(known_arrivals, thread.known_arrivals);
    // What this block alone published, the barrier itself orders.
    std::ranges::copy_if(thread.acquired, std::back_inserter(all), [&](const Acquired& a) {
      return a.word->of_block.size() > 1 || !a.word->of_block.contains(s.block);
    });
  }
  State::join(all);
  for (ThreadState& thread : s.here->threads) {
    thread.position.epoch = s.here->epoch;
    thread.known_arrivals = known_arrivals;
    thread.acquired = all;
  }
}

void Races::warp_call(const WarpMeeting& meeting) {
  if (meeting.call != WarpCall::barrier) return;
  State& s = *state_;
  std::array<std::uint32_t, kWarp> joined{};
  Clock waited_for;
  std::vector<Acquired> all;
  const auto each = [&](auto f) {
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      if (meeting.mask >> lane & 1) f(lane, s.here->threads[meeting.warp * kWarp + lane]);
    }
  };
  each([&](unsigned lane, ThreadState& thread) {
    for (unsigned l = 0; l < kWarp; ++l) joined[l] = std::max(joined[l], thread.position.lanes[l]);
    joined[lane] = std::max(joined[lane], thread.position.time);
    join(waited_for, thread.waited_for);
    all.insert(all.end(), thread.acquired.begin(), thread.acquired.end());
  });
  State::join(all);
  each([&](unsigned, ThreadState& thread) {
    thread.position.lanes = joined;
    ++thread.position.time;
    if (!all.empty()) thread.acquired = all;
    thread.waited_for = waited_for;
  });
}

void Races::fence(unsigned t, Scope scope) {
  state_->here->any_fence = true;
  ThreadState& thread = state_->here->threads[t];
  const Snapshot position = State::publish(thread);
  const int reach = 1 + static_cast<int>(scope);
  std::fill_n(thread.fenced.begin(), reach, position);
  for (Acquired& a : thread.acquired) a.fence = std::max(a.fence, reach);
}
void Races::mbarrier_arrived(unsigned t, const void* mbarrier) {
  ThreadState& thread = state_->here->threads[t];
  Clock& clock = state_->here->mbarriers[mbarrier];
  clock.resize(state_->here->threads.size());
  join(clock, thread.waited_for);
  const unsigned first = t / kWarp * kWarp;
  for (unsigned l = 0; l < kWarp && first + l < clock.size(); ++l)
    clock[first + l] = std::max(clock[first + l], thread.position.lanes[l]);
  clock[t] = std::max(clock[t], thread.position.time++);
}
void Races::mbarrier_waited(unsigned t, const void* mbarrier) {
  join(state_->here->threads[t].waited_for, state_->here->mbarriers[mbarrier]);
}

// What the threads of a cluster publish and learn at its barrier, as if through one word; numbers of arrivals tell most of
// it at less cost.
SyncWord& Races::State::barrier_of_cluster() { return sync[{block / cluster, ~std::uint32_t{0}}]; }
void Races::cluster_arrived(unsigned t) {
  fence(t, Scope::device);
  state_->release(t, state_->barrier_of_cluster());
  ++state_->here->threads[t].arrivals;
}
void Races::cluster_waited(unsigned t) {
  state_->acquire(t, state_->barrier_of_cluster());
  ThreadState& thread = state_->here->threads[t];
  thread.known_arrivals = std::max(thread.known_arrivals, thread.arrivals);
  fence(t, Scope::device);
}

std::vector<Race> Races::take() {
  std::vector<Race> all;
  for (auto& [key, race] : state_->found) {
    if (!race.uninitialised) race.first.line = source_line(code_site(race.first.site));
    race.second.line = source_line(code_site(race.second.site));
    all.push_back(std::move(race));
  }
  state_->found.clear();
  std::sort(all.begin(), all.end(), [](const Race& a, const Race& b) { return a.count > b.count; });
  return all;
}

std::string Race::str() const {
  const auto side = [](const Side& s) {
    const std::string_view file = s.line.file;
    const std::string rank = s.rank < 0 ? "" : fmt::format("rank {}, ", s.rank);
    return fmt::format("{}:{} {} ({}block {}, thread {})", file.substr(file.rfind('/') + 1), s.line.line,
                       s.kind == Kind::load    ? "reads"
                       : s.kind == Kind::store ? "writes"
                                               : "updates",
                       rank, s.block, s.thread);
  };
  const char* where = space == Space::shared ? "shared" : "global";
  const std::string times = count > 1 ? fmt::format(", {} times", count) : "";
  if (uninitialised)
    return fmt::format("{}: {} shared memory at byte {} that its block never wrote{}", kernel, side(second),
                       address, times);
  return fmt::format("{}: race on {} memory: {} and {} touch the same word with nothing to order them{}",
                     kernel, where, side(first), side(second), times);
}

}  // namespace tandem::simt
