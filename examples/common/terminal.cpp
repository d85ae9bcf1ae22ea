#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <tandem/error.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

namespace tandem::terminal {
namespace {

// Code points, so that µ and × count as one column.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// A last column that has less room than this stands below the others, indented.
constexpr std::size_t kLeastRoom = 30, kIndent = 4;

// "17", "3.21 ms", but not "4 x 4 results"
bool numeric(std::string_view cell) {
  return !cell.empty() && cell[0] >= '0' && cell[0] <= '9' && std::count(cell.begin(), cell.end(), ' ') <= 1;
}

// Whether the whole text is a number that T can hold. from_chars takes no plus.
template <class T>
bool from_text(std::string_view text, T& value) {
  const bool plus = text.starts_with('+') && !text.starts_with("+-");
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + plus, end, value);
  return error == std::errc() && rest == end;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
  if (width(text) <= columns) return {text};
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > columns) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return lines;
}

template <std::integral T>
T parse_number(const std::string& text, const std::string& argument, std::type_identity_t<T> least,
               std::type_identity_t<T> most) {
  T value{};
  if (from_text(text, value) && value >= least && value <= most) return value;
  throw InvalidArgument(
      fmt::format("{} is '{}'; it must be a whole number from {} to {}", argument, text, least, most));
}

template <class T>
T parse_number(const std::string& text, const std::string& argument) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>) {
    return parse_number<T>(text, argument, Limits::min(), Limits::max());
  } else {
    T value{};
    if (from_text(text, value)) return value;
    throw InvalidArgument(
        fmt::format("{} is '{}'; it must be a number of {} bits: 0, from {:.2g} to {:.2g}, inf or nan",
                    argument, text, 8 * sizeof(T), Limits::denorm_min(), Limits::max()));
  }
}

template float parse_number(const std::string&, const std::string&);
template double parse_number(const std::string&, const std::string&);
template std::int32_t parse_number(const std::string&, const std::string&);
template std::int64_t parse_number(const std::string&, const std::string&);
template std::uint32_t parse_number(const std::string&, const std::string&);
template std::uint64_t parse_number(const std::string&, const std::string&);
template std::int32_t parse_number(const std::string&, const std::string&, std::int32_t, std::int32_t);
template std::int64_t parse_number(const std::string&, const std::string&, std::int64_t, std::int64_t);
template std::uint64_t parse_number(const std::string&, const std::string&, std::uint64_t, std::uint64_t);

std::vector<std::string> parse_list(const std::string& text, char separator, const std::string& argument) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0, end; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(separator, begin), text.size());
    if (begin == end) {
      throw InvalidArgument(
          fmt::format("{} is '{}'; between its '{}' there must be no empty part", argument, text, separator));
    }
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

std::int64_t parse_size(const std::string& text, const std::string& argument) {
  constexpr std::int64_t kMost = std::int64_t{1} << 42;
  const char* const end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), end, value);
  const std::string_view unit(at, end);
  const int shift = unit.empty()                 ? 0
                    : unit == "K" || unit == "k" ? 10
                    : unit == "M" || unit == "m" ? 20
                    : unit == "G" || unit == "g" ? 30
                                                 : -1;
  if (error != std::errc() || shift < 0 || value > static_cast<std::uint64_t>(kMost) >> shift) {
    throw InvalidArgument(fmt::format(
        "{} is '{}'; it must be a size such as 1000, 64K, 16M or 1G, at most 4096G", argument, text));
  }
  return static_cast<std::int64_t>(value << shift);
}

std::vector<std::int64_t> parse_shape(const std::string& text, const std::string& argument) {
  std::vector<std::int64_t> extents;
  for (const std::string& extent : parse_list(text, 'x', argument))
    extents.push_back(parse_size(extent, argument));
  return extents;
}

std::string show_size(std::int64_t n) {
  for (const auto& [shift, unit] : {std::pair{30, 'G'}, {20, 'M'}, {10, 'K'}}) {
    if (n > 0 && n % (std::int64_t{1} << shift) == 0) return fmt::format("{}{}", n >> shift, unit);
  }
  return fmt::format("{}", n);
}

std::string show_time(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.4g} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
  return fmt::format("{:.4g} s", seconds);
}

std::string show_bytes(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes * 1e-3);
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes * 1e-6) : fmt::format("{:.2f} GB", bytes * 1e-9);
}

std::string show_rate(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.2f} M", per_second / 1e6);
  if (per_second >= 1e3) return fmt::format("{:.1f} k", per_second / 1e3);
  return fmt::format("{:.0f}", per_second);
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "\\n" : "\\t";
    } else if (c < ' ' || c == 0x7F) {
      out += fmt::format("\\x{:02x}", c);
    } else if (c == 0xC2 && next >= 0x80 && next < 0xA0) {  // U+0080 to U+009F in UTF-8
      out += fmt::format("\\x{:02x}", next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string paint(std::string_view text, Colour colour) {
  static const bool on = isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
  if (!on || colour == Colour::none) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", colour == Colour::good ? 32 : colour == Colour::bad ? 31 : 2, text);
}

void Table::add(std::vector<std::string> row, Colour colour) {
  row.resize(rows_[0].size());
  rows_.push_back(std::move(row));
  colours_.push_back(colour);
}

std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  std::size_t columns = 0;
  const char* text = std::getenv("COLUMNS");
  return text && from_text(text, columns) && columns > 0 ? columns : std::numeric_limits<std::size_t>::max();
}

void print_heading(std::string_view text) {
  fmt::print("\n{}{}\n", table_form == TableForm::markdown ? "### " : "", text);
}
void print_note(const std::string& text, Colour colour) {
  if (table_form == TableForm::markdown) fmt::print("\n");
  for (const std::string& line :
       wrapped(text, table_form == TableForm::markdown ? std::string::npos : terminal_width()))
    fmt::print("{}\n", paint(line, colour));
}
void print_command(std::string_view text) {
  fmt::print("{}{}\n", table_form == TableForm::markdown ? "\n" : "", text);
}

void Table::print() const {
  if (rows_.size() == 1) return;
  table_form == TableForm::markdown ? print_markdown() : print_columns();
}

/// The cells of a column, each in lines.
struct Table::Column {
  std::vector<std::string> texts;
  std::vector<std::vector<std::string>> cells;
  std::size_t width = 0, longest_word = 0;

  void add(const std::string& cell) {
    texts.push_back(cell);
    cells.push_back({cell});
    width = std::max(width, terminal::width(cell));
    for (const std::string& word : wrapped(cell, 1))
      longest_word = std::max(longest_word, terminal::width(word));
  }
  void wrap(std::size_t room) {
    for (std::size_t r = 0; r < cells.size(); ++r) cells[r] = wrapped(texts[r], room);
    measure();
  }
  /// To the width of what stands below it.
  void wrap_heading() {
    std::size_t room = 1;
    for (std::size_t r = 1; r < cells.size(); ++r) room = std::max(room, terminal::width(texts[r]));
    cells[0] = wrapped(texts[0], room);
    measure();
  }

 private:
  void measure() {
    width = 0;
    for (const auto& cell : cells) {
      for (const std::string& line : cell) width = std::max(width, terminal::width(line));
    }
  }
};

void Table::print_columns() const {
  const std::size_t terminal = terminal_width();
  std::vector<Column> columns(rows_[0].size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const auto& row : rows_) columns[c].add(row[c]);
  }
  std::erase_if(columns, [](const Column& c) { return c.width == 0; });
  const auto all = [&] {
    std::size_t sum = 0;
    for (const Column& c : columns) sum += c.width + 2;
    return sum - 2;
  };
  if (all() > terminal) {  // headings of nothing
    std::erase_if(columns, [](const Column& c) {
      return std::all_of(c.texts.begin() + 1, c.texts.end(),
                         [](const std::string& text) { return text.empty(); });
    });
  }
  for (const std::string& heading : expendable_) {
    if (all() > terminal) std::erase_if(columns, [&](const Column& c) { return c.texts[0] == heading; });
  }
  if (all() > terminal) {
    for (Column& c : columns) c.wrap_heading();
  }
  // Where that is not enough the last column is wrapped, or stands below the others where it has too little room even when
  // the first one is wrapped.
  Column below;
  Column& first = columns.front();
  if (Column& last = columns.back(); columns.size() > 1 && all() > terminal) {
    const std::size_t before = all() - last.width;
    const std::size_t least = std::min(last.width, std::max(kLeastRoom, last.longest_word));
    if (before + least <= terminal) {
      last.wrap(terminal - before);
    } else if (before - first.width + first.longest_word + least <= terminal) {
      last.wrap(least);
    } else {
      below = std::move(last);
      below.wrap(std::max(terminal, kIndent + kLeastRoom) - kIndent);
      columns.pop_back();
    }
  }
  if (all() > terminal) {
    const std::size_t others = all() - first.width;
    first.wrap(std::max(terminal, others + first.longest_word) - others);
  }
  // What is wider still comes in pieces, each with the first column.
  std::size_t next = 1;
  do {
    if (next > 1) fmt::print("\n");
    std::vector<const Column*> piece{&first};
    for (std::size_t used = first.width; next < columns.size(); ++next) {
      used += columns[next].width + 2;
      if (used > terminal && piece.size() > 1) break;
      piece.push_back(&columns[next]);
    }
    print_piece(piece, below.width > 0 && next >= columns.size() ? &below : nullptr);
  } while (next < columns.size());
}

void Table::print_piece(const std::vector<const Column*>& columns, const Column* below) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::size_t lines = 1;
    for (const Column* c : columns) lines = std::max(lines, c->cells[r].size());
    const auto print_line = [&](std::string text) {
      text.erase(text.find_last_not_of(' ') + 1);
      fmt::print("{}\n", paint(text, r == 0 ? Colour::dim : colours_[r]));
    };
    for (std::size_t l = 0; l < lines; ++l) {
      std::string line;
      for (const Column* c : columns) {
        const auto& cell = c->cells[r];
        const std::string text = l < cell.size() ? cell[l] : "";
        const std::string padding(c->width - width(text), ' ');
        line += (numeric(text) && cell.size() == 1 ? padding + text : text + padding) + "  ";
      }
      print_line(line);
    }
    if (!below) continue;
    for (const std::string& text : below->cells[r]) {
      if (!text.empty()) print_line(std::string(kIndent, ' ') + text);
    }
  }
}

void Table::print_markdown() const {
  fmt::print("\n");
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    fmt::print("|");
    for (const std::string& cell : rows_[r]) {
      std::string text;
      for (const char c : cell) text += c == '|' ? "\\|" : std::string(1, c);
      fmt::print(" {} |", text);
    }
    fmt::print("\n");
    if (r > 0) continue;
    fmt::print("|");
    for (std::size_t c = 0; c < rows_[0].size(); ++c) {
      const bool numbers =
          std::any_of(rows_.begin() + 1, rows_.end(), [&](auto& row) { return numeric(row[c]); });
      fmt::print(" {} |", numbers ? "---:" : "---");
    }
    fmt::print("\n");
  }
}

Progress::Progress()
    : start_(std::chrono::steady_clock::now()), last_(start_), terminal_(isatty(STDERR_FILENO) != 0) {}
Progress::~Progress() { clear(); }

void Progress::show(const std::string& text) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - start_ < 1s || now - last_ < 100ms) return;
  last_ = now;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace tandem::terminal
