#include "text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace channel {
namespace {

/// Characters, not bytes: those that go on with a UTF-8 letter are not counted.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width(row[i]), ' ');
      line += (i ? "  " : "") + (i ? blanks + row[i] : row[i] + blanks);
    }
    fmt::print("{}\n", line);
  }
}

std::string show_rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.2f} M", per_second / 1e6);
  if (per_second >= 1e3) return fmt::format("{:.1f} k", per_second / 1e3);
  return fmt::format("{:.0f}", per_second);
}

void show_progress(const std::string& line) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K{}", line);
}

tandem::Context context_on(const std::string& place) {
  if (place == "auto") return {};
  if (place == "cpu") return tandem::Context::host();
  if (place == "gpu") return tandem::Context::device();
  throw tandem::InvalidArgument(
      fmt::format("channel_flow: --on is '{}'; it must be auto, cpu or gpu", place));
}

}  // namespace channel
