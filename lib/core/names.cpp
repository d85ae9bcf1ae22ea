#include "lib/core/names.h"

#include <algorithm>

namespace tandem {
namespace {

constexpr std::size_t kLongest = 100;  // letters: nobody mistypes a longer name

// Letters to insert, to remove, to change or, side by side, to exchange.
// Source:  Damerau 1964, "A technique for computer detection and correction of spelling errors"
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view text, const std::vector<std::string>& names) {
  std::string best;
  if (text.size() < 2 || text.size() > kLongest) return best;
  std::size_t least = std::max<std::size_t>(1, text.size() / 3) + 1;
  const auto meet = [&](std::string_view name) {
    if (const std::size_t d = distance(text, name); d < least) {
      least = d;
      best = name;
    }
  };
  for (const std::string& name : names) {
    meet(name);
    // "scan", "custom/lookback" and the other parts of "scan/custom/lookback"
    std::vector<std::size_t> cuts{0};
    for (std::size_t at = 0; (at = name.find('/', at)) != name.npos;) cuts.push_back(++at);
    cuts.push_back(name.size() + 1);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      for (std::size_t j = i + 1; j < cuts.size(); ++j)
        meet(std::string_view(name).substr(cuts[i], cuts[j] - cuts[i] - 1));
    }
  }
  return best;
}

std::string did_you_mean(std::string_view text, const std::vector<std::string>& names) {
  const std::string name = nearest(text, names);
  if (name.empty()) return name;
  return std::string("; did you mean '").append(name).append("'?");
}

std::string unknown_name(std::string_view what, std::string_view text,
                         const std::vector<std::string>& known) {
  std::string message = "unknown " + std::string(what) + " '" + std::string(text) + "'; known: ";
  for (std::size_t i = 0; i < known.size(); ++i) message += (i ? ", " : "") + known[i];
  return message + did_you_mean(text, known);
}

}  // namespace tandem
