#include "bench/report/trace_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report/html.h"

namespace tandem::command {
namespace {

using simt::Kind;
using simt::Round;
using simt::Space;

std::string result(const Round& round) {
  if (exchanges(round)) return {};
  const auto [upper, lower] = verdict(round);
  return fmt::format(" <b>{} {}</b>", upper, lower);
}

/// What each lane touches. Their numbers are counted by the style sheet; the cost that most share is the list's.
std::string lanes(const Round& round, std::size_t element_bytes) {
  const auto cost = costs(round);
  const int most = *std::ranges::max_element(
      cost, {}, [&](int c) { return c == kWaits ? 0 : std::ranges::count(cost, c); });
  std::string out = fmt::format("<ol class='lanes c{}'>", most);
  for (int lane = 0; lane < kLanes; ++lane) {
    const int c = cost[static_cast<std::size_t>(lane)];
    out += c == kWaits ? "<li class='w'>" : c == most ? "<li>" : fmt::format("<li class='c{}'>", c);
    if (c == kWaits || round.kind == Kind::vote) continue;
    out += fmt::format("{}", element(round, lane, element_bytes));
    if (exchanges(round)) continue;
    out += fmt::format("<small>{}</small>",
                       round.space == Space::shared ? bank(round, lane) : sector(round, lane));
  }
  return out + "</ol>\n";
}

/// What a fold stands for.
std::string alike(const ShownRounds& rows, const ShownRound& fold) {
  const std::size_t first = rows.rows[fold.first].round + 1;
  return fmt::format("then {} rounds alike: {} again", fold.left_out,
                     fold.period == 1 ? fmt::format("round {}", first)
                                      : fmt::format("rounds {} to {}", first, first + fold.period - 1));
}

}  // namespace

std::string legend() {
  std::string out = "<p class='legend'>";
  for (std::size_t c = 0; c < std::size(kCosts); ++c)
    out += fmt::format("<span><i class='c{}'></i>{}</span> ", c, kCosts[c].meaning);
  return out + "<span><i class='w'></i>waits</span></p>\n";
}

std::string cost_style() {
  std::string rules;
  for (std::size_t c = 0; c < std::size(kCosts); ++c)
    rules += fmt::format(".c{}{{--cost:{}}}", c, kCosts[c].colour);
  return rules + "\n";
}

std::string warp_steps(const TracedSource& source, const ShownRounds& rows, std::size_t element_bytes,
                       const std::string& prefix) {
  const std::vector<Round>& rounds = source.rounds();
  std::vector<std::size_t> shown;  // rows that are rounds
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    if (rows.rows[r].left_out == 0) shown.push_back(r);
  }
  const std::string number_of_all = fmt::format("{}{}", complete(rounds) ? "" : "at least ", rounds.size());
  std::string out = fmt::format(
      "<div class='rounds'><input type='radio' name='{0}' id='{0}all' class='all'><label "
      "for='{0}all'>all</label>\n",
      prefix);
  std::int64_t barriers = 0;
  for (std::size_t s = 0; s < shown.size(); ++s) {
    const std::size_t at = rows.rows[shown[s]].round;
    const Round& round = rounds[at];
    const auto cost = costs(round);
    const bool after_barrier = round.barriers != barriers;
    barriers = round.barriers;
    out +=
        fmt::format("<input type='radio' name='{}' id='{}' class='c{}{}' aria-label='round {}'{}><article>",
                    prefix, source.round_id(at), *std::ranges::max_element(cost),
                    after_barrier ? " after" : "", at + 1, s == 0 ? " checked" : "");
    const auto go = [&](std::size_t to, const char* text) {
      return fmt::format("<label for='{}'>{}</label>", source.round_id(rows.rows[shown[to]].round), text);
    };
    out +=
        fmt::format("<p><span class='go'>{}{}</span>round {} of {}{}: {} {}{}",
                    s > 0 ? go(s - 1, "◀ previous") : "", s + 1 < shown.size() ? go(s + 1, "next ▶") : "",
                    at + 1, number_of_all, after_barrier ? fmt::format(", after barrier {}", barriers) : "",
                    source.link(round.line), deed(round), result(round));
    std::string marks;
    for (std::size_t r = shown[s] + 1; r < rows.rows.size() && rows.rows[r].left_out > 0; ++r) {
      const std::string text = alike(rows, rows.rows[r]);
      out += "; " + text;
      marks += fmt::format("<span title='{}'>…</span>", text);
    }
    out += fmt::format("</p><pre>{}</pre>{}</article>{}\n", escaped(source.text(round.line)),
                       lanes(round, element_bytes), marks);
  }
  if (rows.seen < rounds.size())
    out += fmt::format("<span>{}{} more are left out</span>\n", complete(rounds) ? "" : "at least ",
                       rounds.size() - rows.seen);
  return out + "</div>\n";
}

}  // namespace tandem::command
