#include "bench/report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bench/report/svg.h"

namespace tandem::command {
namespace {

constexpr int kCell = 96, kHeight = 52, kLeft = 120, kTop = 84, kGap = 36, kBar = 14, kBarGap = 14;
constexpr const char* kDark = "#222";  // ink

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

/// Which colour stands for which value: a bar on the right, from the largest value down to 0.
void draw_scale(Svg& svg, const HeatMap& map, int top, const std::string& largest) {
  constexpr int kSteps = 16;
  const int x = kLeft + kCell * static_cast<int>(map.columns.size()) + kBarGap,
            all = kHeight * static_cast<int>(map.rows.size()) - 2;
  for (int step = 0; step < kSteps; ++step) {
    const int from = all * step / kSteps, to = all * (step + 1) / kSteps;
    svg.rectangle(x, top + from, kBar, to - from, colour((kSteps - step - 0.5) / kSteps));
  }
  svg.text(x + kBar + 5, top + 10, largest, {11, "start", "#666"});
  svg.text(x + kBar + 5, top + all, "0", {11, "start", "#666"});
}

void draw(Svg& svg, const HeatMap& map, int top) {
  svg.text(16, top + 26, map.title, {17, "start", "#000", true});
  svg.text(16, top + 46, map.subtitle, {12, "start", "#666"});
  double largest = 0;
  std::string text_of_largest;
  for (const HeatMap::Cell& cell : map.cells) {
    if (cell.value <= largest) continue;
    largest = cell.value;
    text_of_largest = cell.text;
  }
  for (const auto& [key, label] : map.columns)
    svg.text(kLeft + place(map.columns, key) * kCell + kCell / 2, top + kTop - 8, label, {12, "middle"});
  for (const auto& [key, label] : map.rows)
    svg.text(kLeft - 10, top + kTop + place(map.rows, key) * kHeight + kHeight / 2 + 4, label, {12, "end"});
  for (const HeatMap::Cell& cell : map.cells) {
    const int x = kLeft + place(map.columns, cell.column) * kCell,
              y = top + kTop + place(map.rows, cell.row) * kHeight;
    const double share = largest > 0 ? cell.value / largest : 0;
    svg.rectangle(x, y, kCell - 2, kHeight - 2, colour(share));
    const char* ink = share > 0.7 ? "#fff" : kDark;
    svg.text(x + kCell / 2 - 1, y + (cell.small.empty() ? 31 : 24), cell.text, {16, "middle", ink, true});
    if (!cell.small.empty()) svg.text(x + kCell / 2 - 1, y + 40, cell.small, {11, "middle", ink});
  }
  if (largest > 0) draw_scale(svg, map, top + kTop, text_of_largest);
}

/// All maps below each other; the width and the height of the picture.
std::pair<int, int> draw(Svg& svg, const std::vector<HeatMap>& maps) {
  constexpr int kEdge = 24, kOfTitle = 10, kOfSubtitle = 7;  // pixels of a letter
  constexpr int kOfScale = kBarGap + kBar + 50;
  int total = 0;
  std::size_t width = 0;
  for (const HeatMap& map : maps) {
    draw(svg, map, total);
    total += height(map);
    width = std::max({width, kLeft + kCell * map.columns.size() + kOfScale, kOfTitle * map.title.size(),
                      kOfSubtitle * map.subtitle.size()});
  }
  return {static_cast<int>(width) + kEdge, total};
}

}  // namespace

std::string draw(const std::vector<HeatMap>& maps) {
  Svg svg;
  const auto [width, height] = draw(svg, maps);
  return svg.picture(width, height);
}

std::string figure_of(const std::vector<HeatMap>& maps) {
  Svg svg({11, "middle", kDark});
  const auto [width, height] = draw(svg, maps);
  return svg.figure(width, height, maps.empty() ? "" : maps.front().title);
}

}  // namespace tandem::command
