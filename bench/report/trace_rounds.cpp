#include "bench/report/trace_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace tandem::command {
namespace {

using simt::Kind;
using simt::LaunchTraffic;
using simt::Round;
using simt::Space;

constexpr std::size_t kWorthFolding = 4;  // rounds

int cost(double factor) { return factor < 1.5 ? 0 : factor < 3 ? 1 : factor < 6 ? 2 : 3; }

/// What rounds that are alike share, as a number: all but where in its array each begins.
class Likeness {
 public:
  explicit Likeness(const std::vector<Round>& rounds) {
    std::map<std::tuple<std::string, unsigned, Space, Kind, unsigned, unsigned, std::int64_t, int,
                        std::vector<std::uint64_t>>,
             int>
        numbers;
    std::int64_t barriers = 0;
    for (const Round& r : rounds) {
      std::vector<std::uint64_t> lanes;
      for (unsigned rest = r.mask; rest; rest &= rest - 1)
        lanes.push_back(r.address[static_cast<unsigned>(std::countr_zero(rest))]);
      const std::uint64_t begin = exchanges(r) ? 0 : lanes.front();
      for (std::uint64_t& lane : lanes) lane -= begin;
      const auto key = std::tuple{r.line.file, r.line.line,      r.space,       r.kind, r.bytes,
                                  r.mask,      r.counts.sectors, r.counts.ways, lanes};
      kind_.push_back(numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second);
      after_barrier_.push_back(r.barriers != barriers);
      barriers = r.barriers;
    }
  }
  /// How many rounds from `first` + `period` to `end` are what stands `period` rounds before them.
  std::size_t repeats(std::size_t first, std::size_t period, std::size_t end) const {
    std::size_t round = first + period;
    // What begins a period may come after a barrier or not.
    while (round < end && kind_[round] == kind_[round - period] &&
           ((round - first) % period == 0 || after_barrier_[round] == after_barrier_[round - period]))
      ++round;
    return round - first - period;
  }

 private:
  std::vector<int> kind_;
  std::vector<bool> after_barrier_;
};

class Folding {
 public:
  Folding(const std::vector<Round>& rounds, std::size_t most)
      : size_(rounds.size()), complete_(complete(rounds)), alike_(rounds), most_(most) {}

  ShownRounds all() {
    const std::size_t seen = fold(0, size_, 0);
    return {std::move(rows_), seen};
  }

 private:
  /// Returns where it ended.
  std::size_t fold(std::size_t first, std::size_t end, int depth) {
    for (std::size_t r = first; r < end;) {
      if (shown_ == most_) return r;
      // The period that folds most.
      std::size_t period = 0, repeating = 0;
      for (std::size_t p = 1; 2 * p <= end - r; ++p) {
        std::size_t more = alike_.repeats(r, p, end);
        if (complete_ || r + p + more < size_) more -= more % p;  // whole ones, unless the trace broke off
        if (more > repeating) period = p, repeating = more;
      }
      if (repeating < kWorthFolding) {
        ++shown_;
        rows_.push_back({r++});
        continue;
      }
      const std::size_t top = rows_.size(), reached = fold(r, r + period, depth + 1);
      if (reached < r + period) return reached;
      rows_.push_back({r + period, repeating, period, top, depth});
      r += period + repeating;
    }
    return end;
  }

  std::size_t size_;
  bool complete_;
  Likeness alike_;
  std::size_t most_, shown_ = 0;
  std::vector<ShownRound> rows_;
};

}  // namespace

std::array<int, kLanes> costs(const Round& round) {
  std::array<int, kLanes> all{};
  if (exchanges(round)) {
    all.fill(kExchange);
  } else if (round.space == Space::global) {
    all.fill(cost(static_cast<double>(round.counts.sectors) /
                  static_cast<double>(std::max<std::int64_t>(1, round.counts.least_sectors))));
  } else {
    const simt::BankUse use = simt::bank_use(round.mask, round.bytes, round.address);
    std::ranges::transform(use.ways, all.begin(), cost);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(round.mask >> lane & 1)) all[lane] = kWaits;
  }
  return all;
}

bool exchanges(const Round& round) { return round.kind == Kind::shuffle || round.kind == Kind::vote; }

std::string deed(const Round& round) {
  const char* space = round.space == Space::shared ? "shared" : "global";
  switch (round.kind) {
    case Kind::load:
      return fmt::format("loads {}", space);
    case Kind::store:
      return fmt::format("stores {}", space);
    case Kind::atomic:
      return fmt::format("updates {}", space);
    case Kind::shuffle:
      return "shuffle";
    case Kind::vote:
      break;
  }
  return "vote";
}

std::pair<std::string, std::string> verdict(const Round& round) {
  const auto& c = round.counts;
  if (round.space == Space::shared)
    return {c.ways > 1 ? fmt::format("{}-way bank", c.ways) : "no bank", "conflict"};
  return {fmt::format("{} {}", c.sectors, c.sectors == 1 ? "sector" : "sectors"),
          fmt::format("({} would do)", c.least_sectors)};
}

std::uint64_t element(const Round& round, int lane, std::size_t element_bytes) {
  const std::uint64_t address = round.address[static_cast<std::size_t>(lane)];
  return round.kind == Kind::shuffle ? address : address / std::min<std::size_t>(element_bytes, round.bytes);
}

std::uint64_t bank(const Round& round, int lane) {
  return round.address[static_cast<std::size_t>(lane)] / 4 % 32;
}
std::uint64_t sector(const Round& round, int lane) {
  return round.address[static_cast<std::size_t>(lane)] / 32;
}

ShownRounds folded(const std::vector<Round>& rounds, std::size_t most) { return Folding(rounds, most).all(); }

bool complete(const std::vector<Round>& rounds) { return rounds.size() < simt::Traffic::kMostRounds; }

const LaunchTraffic& most_requests(const std::vector<LaunchTraffic>& launches) {
  return *std::max_element(
      launches.begin(), launches.end(), [](const LaunchTraffic& a, const LaunchTraffic& b) {
        return a.global.requests + a.shared.requests < b.global.requests + b.shared.requests;
      });
}

}  // namespace tandem::command
