#include "bench/report/shared_styles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tandem::command {
namespace {

constexpr std::array kShared{" stroke='",      " stroke-width='", " stroke-dasharray='", " stroke-linecap='",
                             " text-anchor='", " font-size='",    " font-weight='"};

/// The end of what begins at `from`.
std::size_t behind(std::string_view html, char last, std::size_t from) {
  return std::min(html.find(last, from), html.size() - 1) + 1;
}

}  // namespace

std::string SharedStyles::shortened(std::string_view html) {
  std::string out;
  for (std::size_t at = 0; at < html.size();) {
    const std::size_t begin = html.find('<', at);
    out += html.substr(at, begin - at);
    if (begin == html.npos) break;
    at = behind(html, '>', begin);
    std::string tag(html.substr(begin, at - begin)), declarations;
    const bool path = tag.starts_with("<path ");
    if (path || tag.starts_with("<text ") || tag.starts_with("<svg ")) {
      const auto take = [&](std::string_view attribute) {
        const std::size_t from = tag.find(attribute);
        if (from == tag.npos) return;
        const std::size_t value = from + attribute.size(), end = tag.find('\'', value);
        const std::string_view name = attribute.substr(1, attribute.size() - 3);
        declarations += fmt::format("{}:{}{};", name, tag.substr(value, end - value),
                                    name == "font-size" ? "px" : "");  // numbers have no unit there
        tag.erase(from, end + 1 - from);
      };
      for (const std::string_view attribute : kShared) take(attribute);
      if (!path) take(" fill='");  // the page says of paths without this that they are not filled
    }
    if (!declarations.empty()) {
      const auto known = classes_.try_emplace(declarations, fmt::format("a{}", classes_.size())).first;
      tag.insert(tag.find(' '), fmt::format(" class={}", known->second));
    }
    out += tag;
  }
  return out;
}

std::string SharedStyles::rules() const {
  std::string all;
  for (const auto& [declarations, name] : classes_) all += fmt::format(".{}{{{}}}\n", name, declarations);
  return all;
}

}  // namespace tandem::command
