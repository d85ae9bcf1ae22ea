#include "bench/measure/regions.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tandem::command {
namespace {

/// What is fastest, and fastest of our own: libraries do not take every type.
std::pair<std::string_view, std::string_view> winners(const std::string& names) {
  const std::vector<std::string_view> all = implementations_of(names);
  const auto custom = std::find_if(all.begin(), all.end(),
                                   [](std::string_view name) { return name.find("/custom/") != name.npos; });
  return {all[0], custom == all.end() ? "" : *custom};
}
bool same_winners(const Regions& a, const Regions& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && winners(x.second) == winners(y.second);
  });
}
}  // namespace

std::int64_t border(std::int64_t value, std::int64_t step) {
  return std::llround(static_cast<double>(value) / std::sqrt(static_cast<double>(step)));
}

Regions regions(const Cells& cells, std::size_t level, const Features& steps) {
  if (level == steps.size()) return {{{}, cells.begin()->second}};
  std::map<std::int64_t, Cells> by_value;
  for (const auto& [at, names] : cells) by_value[at[level]].emplace(at, names);
  Regions all, last;
  for (const auto& [value, part] : by_value) {
    Regions here = regions(part, level + 1, steps);
    if (same_winners(here, last)) continue;
    last = here;
    for (auto& [from, names] : here) {
      if (value > 1 && (level > 0 || value != by_value.begin()->first))
        from[level] = border(value, steps[level]);
      all.emplace_back(from, names);
    }
  }
  return all;
}

void fill(Cells& cells, const std::set<Features>& all) {
  const auto distance = [](const Features& a, const Features& b) {
    double sum = 0;
    for (std::size_t f = 0; f < a.size(); ++f) {
      const double d = std::log(static_cast<double>(std::max<std::int64_t>(1, a[f]))) -
                       std::log(static_cast<double>(std::max<std::int64_t>(1, b[f])));
      sum += d * d;
    }
    return sum;
  };
  const Cells there = cells;
  for (const Features& at : all) {
    const auto nearest = std::min_element(there.begin(), there.end(), [&](const auto& a, const auto& b) {
      return distance(a.first, at) < distance(b.first, at);
    });
    cells.emplace(at, nearest->second);
  }
}

}  // namespace tandem::command
