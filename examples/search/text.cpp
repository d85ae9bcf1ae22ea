#include "text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace search {

std::string show_time(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string show_bytes(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes * 1e-3);
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes * 1e-6) : fmt::format("{:.2f} GB", bytes * 1e-9);
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths(rows.at(0).size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], static_cast<int>(fmt::formatted_size("{}", row[c])));
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += c == 0 ? fmt::format("{:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
    fmt::print("{}\n", line);
  }
}

void show_progress(const std::string& line) {
  static const bool terminal = isatty(STDERR_FILENO) == 1;
  if (terminal) fmt::print(stderr, "\r\x1b[K{}", line);
}

tandem::Context context_on(const std::string& place) {
  return place == "device" ? tandem::Context::device() : tandem::Context::host();
}

}  // namespace search
