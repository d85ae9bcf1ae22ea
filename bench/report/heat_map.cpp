#include "bench/report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tandem::command {
namespace {

constexpr int kCell = 96, kHeight = 52, kLeft = 120, kTop = 84, kGap = 36;

// From white over orange to dark red, so that more is darker also without colours.
std::string colour(double share) {
  const auto mix = [share](double low, double middle, double high) {
    const double value =
        share < 0.5 ? low + (middle - low) * 2 * share : middle + (high - middle) * (2 * share - 1);
    return static_cast<int>(std::lround(value));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(255, 253, 153), mix(250, 174, 0), mix(240, 97, 13));
}

template <class Labels>
int place(const Labels& labels, int key) {
  return static_cast<int>(std::distance(labels.begin(), labels.find(key)));
}

int height(const HeatMap& map) { return kTop + kHeight * static_cast<int>(map.rows.size()) + kGap; }

std::string draw(const HeatMap& map, int top) {
  std::string svg =
      fmt::format("<text class='h' x='16' y='{}'>{}</text>\n<text class='s' x='16' y='{}'>{}</text>\n",
                  top + 26, map.title, top + 46, map.subtitle);
  double largest = 0;
  for (const HeatMap::Cell& cell : map.cells) largest = std::max(largest, cell.value);
  for (const auto& [key, label] : map.columns)
    svg += fmt::format("<text x='{}' y='{}'>{}</text>\n", kLeft + place(map.columns, key) * kCell + kCell / 2,
                       top + kTop - 8, label);
  for (const auto& [key, label] : map.rows)
    svg += fmt::format("<text class='r' x='{}' y='{}'>{}</text>\n", kLeft - 10,
                       top + kTop + place(map.rows, key) * kHeight + kHeight / 2 + 4, label);
  for (const HeatMap::Cell& cell : map.cells) {
    const int x = kLeft + place(map.columns, cell.column) * kCell,
              y = top + kTop + place(map.rows, cell.row) * kHeight;
    const double share = largest > 0 ? cell.value / largest : 0;
    svg += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='{}'/>", x, y, kCell - 2, kHeight - 2,
                       colour(share));
    const char* ink = share > 0.7 ? "#fff" : "#222";
    svg += fmt::format("<text class='v' fill='{}' x='{}' y='{}'>{}</text>", ink, x + kCell / 2 - 1,
                       y + (cell.small.empty() ? 31 : 24), cell.text);
    if (!cell.small.empty())
      svg += fmt::format("<text class='m' fill='{}' x='{}' y='{}'>{}</text>", ink, x + kCell / 2 - 1, y + 40,
                         cell.small);
    svg += '\n';
  }
  return svg;
}

}  // namespace

std::string draw(const std::vector<HeatMap>& maps) {
  int total = 0;
  std::size_t columns = 0;
  std::string body;
  for (const HeatMap& map : maps) {
    body += draw(map, total);
    total += height(map);
    columns = std::max(columns, map.columns.size());
  }
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
             "font-family='sans-serif' font-size='12' text-anchor='middle'>\n"
             "<style>.h,.s{{text-anchor:start}}.h{{font-size:17px;font-weight:bold}}.s{{fill:#666}}.r{{text-"
             "anchor:end}}"
             ".v{{font-size:16px;font-weight:bold}}.m{{font-size:11px}}</style>\n"
             "<rect width='{0}' height='{1}' fill='#fff'/>\n",
             kLeft + kCell * static_cast<int>(columns) + 24, total) +
         body + "</svg>\n";
}

}  // namespace tandem::command
