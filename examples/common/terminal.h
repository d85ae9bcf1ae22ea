#pragma once
// What people read and type on the command line: tables, numbers, sizes, times, progress, colour. For the
// `tandem` command and the larger examples; needs nothing of Tandem but its installed headers.

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tandem/file.h>

namespace tandem::terminal {

/// The number that the whole text is, in decimal: "17", "-1e-3", "inf". InvalidArgument names the argument and
/// the limits where the text is something else or T cannot hold it: beyond its range, or so small that it
/// would become 0. T: float, double, int, std::int64_t, std::uint64_t.
template <class T>
T parse_number(const std::string& text, const std::string& argument);
/// The same for whole numbers from least to most.
template <std::integral T>
T parse_number(const std::string& text, const std::string& argument, std::type_identity_t<T> least,
               std::type_identity_t<T> most);
/// The parts between the separators: "f32,f64" as f32 and f64. InvalidArgument where one is empty.
std::vector<std::string> parse_list(const std::string& text, char separator, const std::string& argument);
/// 65536, 64K, 16M, 1G (powers of 1024) up to 4096G; InvalidArgument names the argument.
std::int64_t parse_size(const std::string& text, const std::string& argument);
/// 1000x2K; InvalidArgument names the argument.
std::vector<std::int64_t> parse_shape(const std::string& text, const std::string& argument);
/// 65536 as 64K where it is whole, else the number.
std::string show_size(std::int64_t n);
/// 3.21 ms, 12.4 µs
std::string show_time(double seconds);
/// 3.2 MB, in powers of ten.
std::string show_bytes(double bytes);
/// 1.55 M, 812.0 k: how many per second.
std::string show_rate(double per_second);

/// Control characters as \n, \t or \x1b, so that a text stays one line and cannot command a terminal.
std::string printable(std::string_view text);

/// The text in lines of so many columns, broken between words; a longer word is a line of its own.
std::vector<std::string> wrapped(const std::string& text, std::size_t columns);

enum class Colour { none, good, bad, dim };
/// The text in colour when stdout is a terminal and NO_COLOR is not set.
std::string paint(std::string_view text, Colour colour);

/// Columns of stdout: of its terminal, or what COLUMNS says; where it is neither, a line may be of any length.
std::size_t terminal_width();

/// How tables are printed: in columns for people, or as Markdown.
enum class TableForm { columns, markdown };
inline TableForm table_form = TableForm::columns;

/// What stands above a table, behind an empty line.
void print_heading(std::string_view text);
/// A line between tables, wrapped where the terminal ends; in Markdown a paragraph.
void print_note(const std::string& text, Colour colour = Colour::none);
/// The same in one piece: a text with a command line, which can be copied.
void print_command(std::string_view text);

/// Columns are as wide as their widest cell; numbers (and their units) stand at the right. Where the
/// table is wider than the terminal its headings are wrapped, its last column is wrapped or stands below the others, and its first
/// one is wrapped; where that is not enough, it comes in pieces.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row, Colour colour = Colour::none);
  /// Columns, by their headings, that are left out in this order until the table fits the terminal; others may be named, too.
  void may_leave_out(std::vector<std::string> headings) { expendable_ = std::move(headings); }
  /// Nothing where no row was added.
  void print() const;

 private:
  struct Column;
  void print_columns() const;
  void print_piece(const std::vector<const Column*>& columns, const Column* below) const;
  void print_markdown() const;

  std::vector<std::vector<std::string>> rows_;
  std::vector<Colour> colours_{Colour::none};
  std::vector<std::string> expendable_;
};

/// One line on stderr that is rewritten, only on a terminal and only once the work has lasted a second.
class Progress {
 public:
  Progress();
  ~Progress();
  void show(const std::string& text);
  /// Erases the line: before something else is printed.
  void clear();

 private:
  std::chrono::steady_clock::time_point start_, last_;
  bool terminal_, shown_ = false;
};

}  // namespace tandem::terminal
