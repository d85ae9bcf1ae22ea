#include "bench/report/trace_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tandem::command {
namespace {

using simt::Kind;
using simt::LaunchTraffic;
using simt::Round;
using simt::Space;

constexpr int kLanes = 32, kCell = 33, kRow = 20, kLeft = 232, kRight = 190, kTop = 112;
constexpr std::size_t kMostRows = 80;

// How much more than the least: passes through shared memory for this lane's bank, or sectors for the
// request.
constexpr const char* kColours[] = {"#d7eadb", "#fbeeb0", "#f8c98a", "#ef9a84"};
constexpr const char* kMeanings[] = {"as few as can be", "2 times as many", "4 times", "8 times or more"};
int colour(double factor) { return factor < 1.5 ? 0 : factor < 3 ? 1 : factor < 6 ? 2 : 3; }

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

std::string verdict(const Round& round) {
  const auto& c = round.counts;
  if (round.space == Space::shared)
    return c.ways > 1 ? fmt::format("{}-way bank conflict", c.ways) : "no bank conflict";
  return fmt::format("{} {} ({} would do)", c.sectors, c.sectors == 1 ? "sector" : "sectors",
                     c.least_sectors);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

std::string picture(const Implementation& implementation, const std::string& input,
                    const std::vector<LaunchTraffic>& launches, std::size_t element_bytes) {
  const LaunchTraffic& launch =
      *std::max_element(launches.begin(), launches.end(), [](const LaunchTraffic& a, const LaunchTraffic& b) {
        return a.global.requests + a.shared.requests < b.global.requests + b.shared.requests;
      });
  const std::size_t rows = std::min(kMostRows, launch.rounds.size());
  const int width = kLeft + kLanes * kCell + kRight;
  std::string body;
  int y = kTop;
  std::int64_t barriers = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const Round& round = launch.rounds[r];
    if (round.barriers != barriers) {
      barriers = round.barriers;
      body +=
          fmt::format("<path class='b' d='M8 {0}H{1}'/><text class='s' x='8' y='{2}'>barrier {3}</text>\n",
                      y + 6, width - 8, y + 4, barriers);
      y += 12;
    }
    const char* verb = round.kind == Kind::load ? "loads" : round.kind == Kind::store ? "stores" : "updates";
    const std::string file = round.line.file.substr(round.line.file.rfind('/') + 1);
    body += fmt::format("<text class='l' x='{}' y='{}'>{}{}: {} {}</text>", kLeft - 8, y + 14,
                        implementation.file.ends_with("/" + file) ? "line " : file + ":", round.line.line,
                        verb, round.space == Space::shared ? "shared" : "global");
    body += fmt::format("<rect class='i' x='{}' y='{}'/>", kLeft, y);
    const std::vector<double> factor = factors(round);
    int worst = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const int x = kLeft + lane * kCell;
      if (!(round.mask >> lane & 1)) continue;
      const int c = colour(factor[static_cast<std::size_t>(lane)]);
      worst = std::max(worst, c);
      body += fmt::format(
          "<rect class='c{}' x='{}' y='{}'/><text x='{}' y='{}'>{}</text>", c, x, y, x + kCell / 2, y + 13,
          round.address[static_cast<std::size_t>(lane)] / std::min<std::size_t>(element_bytes, round.bytes));
    }
    body += fmt::format("<text class='v{}' x='{}' y='{}'>{}</text>\n", worst > 0 ? 1 : 0,
                        kLeft + kLanes * kCell + 10, y + 14, verdict(round));
    y += kRow;
  }
  if (rows < launch.rounds.size()) {
    body += fmt::format("<text class='s' x='8' y='{}'>and {}{} more accesses</text>\n", y + 14,
                        launch.rounds.size() == simt::Traffic::kMostRounds ? "at least " : "",
                        launch.rounds.size() - rows);
    y += kRow;
  }

  std::string head = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
      "font-family='sans-serif'>\n"
      "<style>rect{{width:{2}px;height:{3}px;stroke:#fff}}text{{font-size:10px;text-anchor:middle}}"
      ".i{{fill:#f3f3f3;width:{8}px}}.c0{{fill:{4}}}.c1{{fill:{5}}}.c2{{fill:{6}}}.c3{{fill:{7}}}"
      ".l{{text-anchor:end;font-size:12px}}.v0,.v1,.s,.h,.t{{text-anchor:start;font-size:12px}}"
      ".v1{{fill:#b03020;font-weight:bold}}.s{{fill:#666}}.h{{font-size:17px;font-weight:bold}}"
      ".b{{stroke:#999;stroke-dasharray:4 3;fill:none}}</style>\n"
      "<rect width='100%' height='100%' style='width:100%;height:100%' fill='#fff'/>\n",
      width, y + 14, kCell - 1, kRow - 2, kColours[0], kColours[1], kColours[2], kColours[3],
      kLanes * kCell - 1);
  head += fmt::format("<text class='h' x='8' y='24'>{}: what the first warp touches</text>\n",
                      escaped(implementation.name.substr(0, implementation.name.find('@'))));
  head += fmt::format(
      "<text class='t' x='8' y='44'>{}. Time runs downwards: each row is one instruction of the warp, each "
      "column one of "
      "its threads; the number is the (first) element that the thread loads or stores, counted in its array "
      "or in shared memory. Grey threads wait.</text>\n",
      escaped(input));
  int x = 8;
  head += fmt::format(
      "<text class='t' x='{}' y='66'>Passes through shared memory, or 32-byte sectors of global "
      "memory:</text>",
      x);
  x += 460;
  for (int c = 0; c < 4; ++c) {
    head += fmt::format("<rect class='c{}' x='{}' y='53'/><text class='t' x='{}' y='66'>{}</text>", c, x,
                        x + kCell + 4, kMeanings[c]);
    x += kCell + 24 + 7 * static_cast<int>(std::string(kMeanings[c]).size());
  }
  head += fmt::format("\n<text class='l' x='{}' y='{}'>thread</text>", kLeft - 8, kTop - 8);
  for (int lane = 0; lane < kLanes; ++lane)
    head += fmt::format("<text class='s' style='text-anchor:middle' x='{}' y='{}'>{}</text>",
                        kLeft + lane * kCell + kCell / 2, kTop - 8, lane);
  return head + "\n" + body + "</svg>\n";
}

}  // namespace tandem::command
