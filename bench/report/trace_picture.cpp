#include "bench/report/trace_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "bench/report/svg.h"
#include "common/terminal.h"

namespace tandem::command {
namespace {

using simt::Kind;
using simt::LaunchTraffic;
using simt::Round;
using simt::Space;

constexpr int kLanes = 32, kWidth = 1000, kLeft = 108, kRight = 76, kRow = 25, kMargin = 8;
constexpr int kLabels = kLeft - 11;  // where those on the left end: brackets come between
constexpr double kCell = double(kWidth - kLeft - kRight) / kLanes;
constexpr std::size_t kWorthFolding = 4;  // rows

// How much more than the least: passes through shared memory for this lane's bank, or sectors for the
// request.
constexpr const char* kColours[] = {"#d7eadb", "#fbeeb0", "#f8c98a", "#ef9a84"};
constexpr const char* kMeanings[] = {"as few as can be", "2 times as many", "4 times", "8 times or more"};
int colour(double factor) { return factor < 1.5 ? 0 : factor < 3 ? 1 : factor < 6 ? 2 : 3; }
constexpr const char *kExchange = "#d3e2f5", *kWaiting = "#f3f3f3", *kBad = "#b03020", *kQuiet = "#666";

constexpr Svg::Font kSmall{10, "start", "#000", false}, kText{11, "start", "#000", false};

Svg::Font with(Svg::Font font, const char* anchor, const char* colour = "#000", bool bold = false) {
  font.anchor = anchor;
  font.colour = colour;
  font.bold = bold;
  return font;
}

bool exchanges(const Round& round) { return round.kind == Kind::shuffle || round.kind == Kind::vote; }

std::vector<double> factors(const Round& round) {
  std::vector<double> all(kLanes, 1);
  if (round.space == Space::global) {
    const double factor = static_cast<double>(round.counts.sectors) /
                          static_cast<double>(std::max<std::int64_t>(1, round.counts.least_sectors));
    std::fill(all.begin(), all.end(), factor);
    return all;
  }
  const simt::BankUse use = simt::bank_use(round.mask, round.bytes, round.address);
  std::copy(use.ways.begin(), use.ways.end(), all.begin());
  return all;
}

/// Two lines, as beside each row.
using Label = std::pair<std::string, std::string>;

Label verdict(const Round& round) {
  const auto& c = round.counts;
  if (round.space == Space::shared)
    return {c.ways > 1 ? fmt::format("{}-way bank", c.ways) : "no bank", "conflict"};
  return {fmt::format("{} {}", c.sectors, c.sectors == 1 ? "sector" : "sectors"),
          fmt::format("({} would do)", c.least_sectors)};
}

Label place(const Round& round, const std::string& of_kernel) {
  const std::string file = round.line.file.substr(round.line.file.rfind('/') + 1);
  const std::string space = round.space == Space::shared ? "shared" : "global";
  const std::string what = round.kind == Kind::load      ? "loads " + space
                           : round.kind == Kind::store   ? "stores " + space
                           : round.kind == Kind::atomic  ? "updates " + space
                           : round.kind == Kind::shuffle ? "shuffle"
                                                         : "vote";
  if (of_kernel.ends_with("/" + file)) return {fmt::format("line {}", round.line.line), what};
  return {file, fmt::format("{}: {}", round.line.line, what)};
}

/// What rows that are alike share, as a number: all but where in its array each begins.
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
  /// How many rows from `first` + `period` to `end` are what stands `period` rows before them.
  std::size_t repeats(std::size_t first, std::size_t period, std::size_t end) const {
    std::size_t row = first + period;
    // What begins a period may come after a barrier or not.
    while (row < end && kind_[row] == kind_[row - period] &&
           ((row - first) % period == 0 || after_barrier_[row] == after_barrier_[row - period]))
      ++row;
    return row - first - period;
  }

 private:
  std::vector<int> kind_;
  std::vector<bool> after_barrier_;
};

/// The rows of a picture, from above; those that repeat what stands before them are folded.
class Rows {
 public:
  /// `most`: rows that are drawn.
  Rows(const std::vector<Round>& rounds, std::size_t most) : rounds_(rounds), alike_(rounds), most_(most) {}
  Rows(const Rows&) = delete;
  virtual ~Rows() = default;

 protected:
  virtual void row(const Round& round) = 0;
  /// `rows` are like the `period` rows that begin at `top`. `depth`: of folds in folds.
  virtual void fold(std::size_t rows, std::size_t period, int top, int depth) = 0;

  bool complete() const { return rounds_.size() < simt::Traffic::kMostRounds; }
  /// Draws as far as the picture may grow, and returns where it ended.
  std::size_t draw_rows() { return rows(0, rounds_.size(), 0); }

  const std::vector<Round>& rounds_;
  Svg svg_;
  int y_ = 0;
  std::int64_t barriers_ = 0;

 private:
  std::size_t rows(std::size_t first, std::size_t end, int depth) {
    for (std::size_t r = first; r < end;) {
      if (drawn_ == most_) return r;
      // The period that folds most.
      std::size_t period = 0, folded = 0;
      for (std::size_t p = 1; 2 * p <= end - r; ++p) {
        std::size_t more = alike_.repeats(r, p, end);
        if (complete() || r + p + more < rounds_.size())
          more -= more % p;  // whole ones, unless the trace broke off
        if (more > folded) period = p, folded = more;
      }
      if (folded < kWorthFolding) {
        ++drawn_;
        row(rounds_[r++]);
        continue;
      }
      const int top = y_;
      const std::size_t reached = rows(r, r + period, depth + 1);
      if (reached < r + period) return reached;
      fold(folded, period, top, depth);
      r += period + folded;
    }
    return end;
  }

  Likeness alike_;
  std::size_t most_, drawn_ = 0;
};

class Drawing : public Rows {
 public:
  Drawing(const std::string& file, const LaunchTraffic& launch, std::size_t element_bytes, bool banks)
      : Rows(launch.rounds, 60), file_(file), element_bytes_(element_bytes), banks_(banks) {}

  std::string draw(const std::string& title, const std::string& explanation) {
    head(title, explanation);
    const std::size_t seen = draw_rows();
    if (seen < rounds_.size())
      note(fmt::format("and {}{} more", complete() ? "" : "at least ", rounds_.size() - seen));
    return svg_.picture(kWidth, y_ + kMargin);
  }

 private:
  void head(const std::string& title, const std::string& explanation) {
    svg_.text(kMargin, 22, title, {16, "start", "#000", true});
    y_ = 26;
    const auto letters = static_cast<std::size_t>((kWidth - 2 * kMargin) / (Svg::kLetter * kText.size));
    for (const std::string& line : terminal::wrapped(explanation, letters))
      svg_.text(kMargin, y_ += 16, line, kText);
    y_ += 12;
    double x = kMargin;
    const auto legend = [&](const char* colour, const std::string& meaning) {
      svg_.rectangle(x, y_, kCell - 1, 15, colour);
      svg_.text(x += kCell + 4, y_ + 11, meaning, kText);
      x += Svg::width(meaning, kText.size) + 12;
    };
    for (int c = 0; c < 4; ++c) legend(kColours[c], kMeanings[c]);
    legend(kExchange, "a shuffle (from that thread) or a vote");
    legend(kWaiting, "waits");
    y_ += 34;
    svg_.text(kLabels, y_, "thread", with(kSmall, "end", kQuiet));
    for (int lane = 0; lane < kLanes; ++lane) number(lane, y_, std::to_string(lane), kQuiet);
    y_ += 6;
  }

  void number(int lane, double y, const std::string& digits, const char* colour = "#000") {
    svg_.text(kLeft + (lane + 0.5) * kCell, y, digits, with(kSmall, "middle", colour));
  }

  void note(const std::string& text) {
    svg_.text(kLeft, y_ + 12, text, with(kText, "start", kQuiet));
    y_ += 18;
  }

  void fold(std::size_t rows, std::size_t period, int top, int depth) override {
    if (period > 1) svg_.path(fmt::format("M{} {}h-2V{}h5", kLeft - 6 + 3 * depth, top + 1, y_ + 9), kQuiet);
    note(fmt::format("… {} rows alike{}", rows, period > 1 ? ": those in the bracket, again" : ""));
  }

  void row(const Round& round) override {
    if (round.barriers != barriers_) {
      barriers_ = round.barriers;
      svg_.text(kLabels, y_ + 10, fmt::format("barrier {}", barriers_), with(kSmall, "end", kQuiet));
      svg_.path(fmt::format("M{} {}H{}", kLeft, y_ + 6, kWidth - kRight), "#999", true);
      y_ += 14;
    }
    const auto [where, what] = place(round, file_);
    svg_.text(kLabels, y_ + 10, where, with(kSmall, "end"));
    svg_.text(kLabels, y_ + 21, what, with(kSmall, "end"));
    svg_.rectangle(kLeft, y_, kLanes * kCell - 1, kRow - 1, kWaiting);
    const std::vector<double> factor = exchanges(round) ? std::vector<double>(kLanes, 1) : factors(round);
    int worst = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!(round.mask >> lane & 1)) continue;
      const int c = colour(factor[static_cast<std::size_t>(lane)]);
      worst = std::max(worst, c);
      svg_.rectangle(kLeft + lane * kCell, y_, kCell - 1, kRow - 1,
                     exchanges(round) ? kExchange : kColours[c]);
      cell(round, lane);
    }
    y_ += kRow;
    if (exchanges(round)) return;
    const auto [upper, lower] = verdict(round);
    const Svg::Font font = with(kSmall, "start", worst > 0 ? kBad : "#000", worst > 0);
    svg_.text(kWidth - kRight + 6, y_ + 10 - kRow, upper, font);
    svg_.text(kWidth - kRight + 6, y_ + 21 - kRow, lower, font);
  }

  // What a lane touches: long numbers on two lines.
  void cell(const Round& round, int lane) {
    if (round.kind == Kind::vote) return;
    const std::uint64_t address = round.address[static_cast<std::size_t>(lane)];
    const bool bank = banks_ && round.space == Space::shared;
    const std::string digits =
        std::to_string(round.kind == Kind::shuffle ? address
                       : bank                      ? address / 4 % 32
                              : address / std::min<std::size_t>(element_bytes_, round.bytes));
    if (digits.size() <= 4) return number(lane, y_ + 16, digits);
    const std::size_t above = digits.size() - std::max<std::size_t>(3, digits.size() / 2);
    number(lane, y_ + 10, digits.substr(0, above));
    number(lane, y_ + 21, digits.substr(above));
  }

  const std::string& file_;
  std::size_t element_bytes_;
  bool banks_;
};

/// Without words: what a ladder's pictures look like side by side.
class Strip : public Rows {
 public:
  explicit Strip(const std::vector<Round>& rounds) : Rows(rounds, 40) {}

  std::string draw() {
    if (draw_rows() < rounds_.size()) dots();
    svg_.rectangle(0, 0, kAcross, y_, "var(--card)");
    for (const auto& [colour, lanes] : lanes_) svg_.path(lanes, {colour, kThin - 1});
    if (!dots_.empty()) svg_.path(dots_, {"var(--dim)", 2, "", "round"});
    return svg_.figure(kAcross, y_, "");
  }

 private:
  static constexpr int kLane = 10, kAcross = kLanes * kLane, kThin = 6;

  void row(const Round& round) override {
    if (round.barriers != barriers_) y_ += 3;  // a gap
    barriers_ = round.barriers;
    const std::vector<double> factor = exchanges(round) ? std::vector<double>(kLanes, 1) : factors(round);
    const auto colour_of = [&](int lane) -> const char* {
      if (!(round.mask >> lane & 1)) return nullptr;
      return exchanges(round) ? kExchange : kColours[colour(factor[static_cast<std::size_t>(lane)])];
    };
    for (int lane = 0; lane < kLanes;) {
      int end = lane + 1;
      while (end < kLanes && colour_of(end) == colour_of(lane)) ++end;
      if (const char* same = colour_of(lane))
        lanes_[same] += fmt::format("M{} {}h{}", lane * kLane, y_ + kThin / 2, (end - lane) * kLane);
      lane = end;
    }
    y_ += kThin;
  }

  void fold(std::size_t, std::size_t, int, int) override { dots(); }

  void dots() {
    for (const int x : {-8, 0, 8}) dots_ += fmt::format("M{} {}h0", kAcross / 2 + x, y_ + 4);
    y_ += 9;
  }

  std::map<const char*, std::string> lanes_;  // by colour
  std::string dots_;
};

const LaunchTraffic& most_requests(const std::vector<LaunchTraffic>& launches) {
  return *std::max_element(
      launches.begin(), launches.end(), [](const LaunchTraffic& a, const LaunchTraffic& b) {
        return a.global.requests + a.shared.requests < b.global.requests + b.shared.requests;
      });
}

}  // namespace

std::string picture(const Implementation& implementation, const std::string& input,
                    const std::vector<LaunchTraffic>& launches, std::size_t element_bytes, bool banks) {
  return Drawing(implementation.file, most_requests(launches), element_bytes, banks)
      .draw(implementation.name.substr(0, implementation.name.find('@')) + ": what the first warp touches",
            fmt::format(
                "{}. Time runs downwards: each row is one instruction of the warp, each column one of its "
                "threads; the "
                "number is {}. Colours: passes through shared memory, or 32-byte sectors of global memory.",
                input,
                banks ? "the bank of shared memory (the word mod 32), or the element of a global array, that "
                        "the thread loads or stores (first)"
                      : "the (first) element that the thread loads or stores, counted in its array or in "
                        "shared memory"));
}

std::string warp_strip(const std::vector<LaunchTraffic>& launches) {
  return Strip(most_requests(launches).rounds).draw();
}

}  // namespace tandem::command
