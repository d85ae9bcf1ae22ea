#include "tandem/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "lib/ops/spmv/inside.h"
#include "tandem/error.h"
#include "tandem/file.h"

namespace tandem {
namespace {

constexpr std::int64_t kMost = INT32_MAX;  // rows and columns
constexpr const char* kBanner = "%%MatrixMarket";
constexpr const char* kTaken =
    "it must be 'matrix coordinate', then real, integer or pattern, then general, symmetric or "
    "skew-symmetric";

/// The words of a file, line by line.
class Lines {
 public:
  explicit Lines(const std::string& path)
      : path_(path), text_(file::read_file(path, "a Matrix Market file")) {}

  /// Goes to the next line, whatever it holds; false where there is none.
  bool next() {
    begin_ = number_ == 0 ? 0 : end_ + 1;
    if (begin_ >= text_.size()) return false;
    end_ = std::min(text_.find('\n', begin_), text_.size());
    ++number_;
    words_.clear();
    const std::string_view line = std::string_view(text_).substr(begin_, end_ - begin_);
    constexpr const char* kBlanks = " \t\r";
    for (std::size_t at = line.find_first_not_of(kBlanks); at < line.size() && words_.size() < kMostWords;
         at = line.find_first_not_of(kBlanks, at)) {
      const std::size_t behind = std::min(line.find_first_of(kBlanks, at), line.size());
      words_.push_back(line.substr(at, behind - at));
      at = behind;
    }
    return true;
  }
  /// The next line that is neither empty nor a comment.
  bool next_of_data() {
    while (next()) {
      if (!words_.empty() && !words_[0].starts_with('%')) return true;
    }
    return false;
  }
  /// Up to one more than any line has.
  const std::vector<std::string_view>& words() const { return words_; }
  std::size_t left() const { return text_.size() - std::min(end_, text_.size()); }

  /// What is wrong with word w of this line, or with the line.
  [[noreturn]] void refuse(std::size_t w, const std::string& what) const {
    const std::size_t at =
        w < words_.size() ? static_cast<std::size_t>(words_[w].data() - text_.data()) : begin_;
    throw BadFile(path_, std::min(at, text_.size()), fmt::format("line {}: {}", std::max(number_, 1), what));
  }
  [[noreturn]] void refuse(const std::string& what) const { refuse(kMostWords, what); }
  void require_words(std::size_t count, const char* of) const {
    if (words_.size() != count)
      refuse(fmt::format("has {} words; {} has {}",
                         words_.size() < kMostWords ? std::to_string(words_.size()) : "more", of, count));
  }
  std::int64_t integer(std::size_t w, const char* what, std::int64_t least, std::int64_t most) const {
    std::int64_t value = 0;
    if (!parse(words_[w], value) || value < least || value > most)
      refuse(w, fmt::format("{} is '{}'; it must be from {} to {}", what, shown(w), least, most));
    return value;
  }
  double number(std::size_t w) const {
    double value = 0;
    if (!parse(words_[w], value)) refuse(w, fmt::format("'{}' is no number that a double holds", shown(w)));
    return value;
  }
  /// Word w as a message shows it, and in small letters.
  std::string shown(std::size_t w) const {
    std::string word;
    for (const char c : words_[w].substr(0, kShown)) word += c > ' ' && c < 127 ? c : '?';
    return word;
  }
  std::string small(std::size_t w) const {
    std::string word(words_[w]);
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return word;
  }

 private:
  static constexpr std::size_t kMostWords = 6, kShown = 30;

  template <class T>
  static bool parse(std::string_view word, T& value) {
    const bool plus = word.starts_with('+') && !word.starts_with("+-");
    const auto [rest, error] = std::from_chars(word.data() + plus, word.data() + word.size(), value);
    return error == std::errc() && rest == word.data() + word.size();
  }

  std::string path_, text_;
  std::size_t begin_ = 0, end_ = 0;
  int number_ = 0;
  std::vector<std::string_view> words_;
};

SparseElements read(const std::string& path) {
  Lines lines(path);
  if (!lines.next() || lines.words().empty() || lines.words()[0] != kBanner)
    lines.refuse(fmt::format("a Matrix Market file begins with {}", kBanner));
  lines.require_words(5, "the first line");
  const std::string field = lines.small(3), symmetry = lines.small(4);
  const auto among = [](const std::string& word, std::initializer_list<const char*> known) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  for (const auto& [word, taken] : {std::pair{1, lines.small(1) == "matrix"},
                                    {2, lines.small(2) == "coordinate"},
                                    {3, among(field, {"real", "integer", "pattern"})},
                                    {4, among(symmetry, {"general", "symmetric", "skew-symmetric"})}}) {
    if (!taken)
      lines.refuse(static_cast<std::size_t>(word),
                   fmt::format("is '{}'; {}", lines.shown(static_cast<std::size_t>(word)), kTaken));
  }
  const bool pattern = field == "pattern", general = symmetry == "general",
             skew = symmetry == "skew-symmetric";
  if (!lines.next_of_data()) lines.refuse("the numbers of rows, columns and elements are missing");
  lines.require_words(3, "the line of sizes");
  SparseElements all{lines.integer(0, "rows", 0, kMost), lines.integer(1, "columns", 0, kMost), {}, {}, {}};
  if (!general && all.rows != all.cols)
    lines.refuse(
        1, fmt::format("columns is {}; a {} matrix has as many as rows, {}", all.cols, symmetry, all.rows));
  const std::int64_t count = lines.integer(2, "elements", 0, INT64_MAX),
                     room = static_cast<std::int64_t>(lines.left() / (pattern ? 4 : 6));
  if (count > room)
    lines.refuse(
        2, fmt::format("elements is {}; behind this line there is no room for more than {}", count, room));
  const auto add = [&](std::int64_t row, std::int64_t column, double value) {
    all.row_numbers.push_back(static_cast<std::int32_t>(row));
    all.column_numbers.push_back(static_cast<std::int32_t>(column));
    all.values.push_back(value);
  };
  for (std::int64_t e = 0; e < count; ++e) {
    if (!lines.next_of_data()) lines.refuse(fmt::format("the file ends behind {} of {} elements", e, count));
    lines.require_words(pattern ? 2 : 3, "an element");
    const std::int64_t row = lines.integer(0, "row", 1, all.rows) - 1,
                       column = lines.integer(1, "column", 1, all.cols) - 1;
    if (!general && (column > row || (skew && column == row))) {
      lines.refuse(1, fmt::format("column is {}, row {}; of a {} matrix elements {} the diagonal are given",
                                  column + 1, row + 1, symmetry, skew ? "below" : "on and below"));
    }
    const double value = pattern ? 1 : lines.number(2);
    add(row, column, value);
    if (!general && row != column) add(column, row, skew ? -value : value);
  }
  if (lines.next_of_data()) lines.refuse(0, fmt::format("there are more elements than {}", count));
  return all;
}

void write(const std::string& path, const SparseElements& all) {
  detail::require_inside("write_matrix_market", all);
  std::string text = fmt::format("{} matrix coordinate real general\n{} {} {}\n", kBanner, all.rows, all.cols,
                                 all.values.size());
  for (std::size_t k = 0; k < all.values.size(); ++k) {
    fmt::format_to(std::back_inserter(text), "{} {} {}\n", std::int64_t{all.row_numbers[k]} + 1,
                   std::int64_t{all.column_numbers[k]} + 1, all.values[k]);
  }
  file::write_file(path, text);
}

}  // namespace

SparseElements read_matrix_market(const std::string& path) {
  return detail::translated([&] { return read(path); });
}
void write_matrix_market(const std::string& path, const SparseElements& elements) {
  detail::translated([&] { write(path, elements); });
}

}  // namespace tandem
