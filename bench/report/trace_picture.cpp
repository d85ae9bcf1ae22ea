#include "bench/report/trace_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/report/svg.h"
#include "bench/report/trace_rounds.h"
#include "common/terminal.h"

namespace tandem::command {
namespace {

using simt::Kind;
using simt::LaunchTraffic;
using simt::Round;
using simt::Space;

constexpr int kWidth = 1000, kLeft = 108, kRight = 84, kRow = 25, kMargin = 8;
constexpr int kLabels = kLeft - 11;  // where those on the left end: brackets come between
constexpr double kCell = double(kWidth - kLeft - kRight) / kLanes;
constexpr const char *kWaiting = "#f3f3f3", *kBad = "#b03020", *kQuiet = "#666";

constexpr Svg::Font kSmall{10, "start", "#000", false}, kText{11, "start", "#000", false};

Svg::Font with(Svg::Font font, const char* anchor, const char* colour = "#000", bool bold = false) {
  font.anchor = anchor;
  font.colour = colour;
  font.bold = bold;
  return font;
}

/// Two lines, as on the left of each row.
std::pair<std::string, std::string> place(const Round& round, const std::string& of_kernel) {
  const std::string file = round.line.file.substr(round.line.file.rfind('/') + 1);
  if (of_kernel.ends_with("/" + file)) return {fmt::format("line {}", round.line.line), deed(round)};
  return {file, fmt::format("{}: {}", round.line.line, deed(round))};
}

class Drawing {
 public:
  Drawing(const std::string& file, const LaunchTraffic& launch, std::size_t element_bytes, bool banks)
      : file_(file), rounds_(launch.rounds), element_bytes_(element_bytes), banks_(banks) {}

  std::string draw(const std::string& title, const std::string& explanation) {
    head(title, explanation);
    const auto [rows, seen] = folded(rounds_, 60);
    std::vector<int> tops;
    for (const ShownRound& r : rows) {
      tops.push_back(y_);
      if (r.left_out == 0)
        row(rounds_[r.round]);
      else
        fold(r, tops[r.first]);
    }
    if (seen < rounds_.size())
      note(fmt::format("and {}{} more", complete(rounds_) ? "" : "at least ", rounds_.size() - seen));
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
    for (const Cost& cost : kCosts) legend(cost.colour, cost.meaning);
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

  void fold(const ShownRound& r, int top) {
    if (r.period > 1)
      svg_.path(fmt::format("M{} {}h-2V{}h5", kLeft - 6 + 3 * r.depth, top + 1, y_ + 9), kQuiet);
    note(fmt::format("… {} rows alike{}", r.left_out, r.period > 1 ? ": those in the bracket, again" : ""));
  }

  void row(const Round& round) {
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
    int worst = 0;
    const auto cost = costs(round);
    for (int lane = 0; lane < kLanes; ++lane) {
      const int c = cost[static_cast<std::size_t>(lane)];
      if (c == kWaits) continue;
      worst = std::max(worst, c);
      svg_.rectangle(kLeft + lane * kCell, y_, kCell - 1, kRow - 1, kCosts[c].colour);
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
    const bool of_bank = banks_ && round.space == Space::shared && !exchanges(round);
    const std::string digits =
        std::to_string(of_bank ? bank(round, lane) : element(round, lane, element_bytes_));
    if (digits.size() <= 4) return number(lane, y_ + 16, digits);
    const std::size_t above = digits.size() - std::max<std::size_t>(3, digits.size() / 2);
    number(lane, y_ + 10, digits.substr(0, above));
    number(lane, y_ + 21, digits.substr(above));
  }

  const std::string& file_;
  const std::vector<Round>& rounds_;
  std::size_t element_bytes_;
  bool banks_;
  Svg svg_;
  int y_ = 0;
  std::int64_t barriers_ = 0;
};

/// Without words: what a ladder's pictures look like side by side.
class Strip {
 public:
  std::string draw(const std::vector<Round>& rounds, std::size_t most) {
    const auto [rows, seen] = folded(rounds, most);
    for (const ShownRound& r : rows) {
      if (r.left_out == 0)
        row(rounds[r.round]);
      else
        dots();
    }
    if (seen < rounds.size()) dots();
    svg_.rectangle(0, 0, kAcross, y_, "var(--card)");
    for (const auto& [cost, lanes] : lanes_) svg_.path(lanes, {kCosts[cost].colour, kThin - 1});
    if (!dots_.empty()) svg_.path(dots_, {"var(--dim)", 2, "", "round"});
    return svg_.figure(kAcross, y_, "");
  }

 private:
  static constexpr int kLane = 10, kAcross = kLanes * kLane, kThin = 6;

  void row(const Round& round) {
    if (round.barriers != barriers_) y_ += 3;  // a gap
    barriers_ = round.barriers;
    const auto cost = costs(round);
    for (auto lane = cost.begin(); lane != cost.end();) {
      const auto end = std::find_if(lane, cost.end(), [&](int c) { return c != *lane; });
      if (*lane != kWaits)
        lanes_[*lane] +=
            fmt::format("M{} {}h{}", (lane - cost.begin()) * kLane, y_ + kThin / 2, (end - lane) * kLane);
      lane = end;
    }
    y_ += kThin;
  }

  void dots() {
    for (const int x : {-8, 0, 8}) dots_ += fmt::format("M{} {}h0", kAcross / 2 + x, y_ + 4);
    y_ += 9;
  }

  Svg svg_;
  int y_ = 0;
  std::int64_t barriers_ = 0;
  std::map<int, std::string> lanes_;  // by cost
  std::string dots_;
};

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
  constexpr std::size_t kLong = 1200;  // bytes: where each lane does something else, fewer rows must do
  const std::vector<Round>& rounds = most_requests(launches).rounds;
  const std::string strip = Strip().draw(rounds, 24);
  return strip.size() < kLong ? strip : Strip().draw(rounds, 12);
}

}  // namespace tandem::command
