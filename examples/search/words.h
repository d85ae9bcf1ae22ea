#pragma once
// Words of text: maximal runs of letters and digits (Unicode's categories L* and Nd), in lower case.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace search {

/// Cuts UTF-8 text into words and lines as it comes. Words are lower-cased letter by letter, by Unicode's simple mapping,
/// and known by their first 255 bytes. O(bytes), constant memory.
class WordCutter {
 public:
  static constexpr std::size_t kMostBytes = 255;

  /// `word` is told of every word, `line` of every end of a line, behind the words of that line.
  explicit WordCutter(
      std::function<void(std::string_view)> word, std::function<void()> line = [] {});
  /// The next piece of the text; it may end anywhere, inside a letter too. False where it is no text: a byte is 0, or
  /// bytes are no UTF-8.
  bool take(std::string_view piece);
  /// The end of the text: of its last word and, unless a line just ended, of its last line. False inside a letter.
  bool finish();

 private:
  void add(std::string_view letter);
  void end_word();
  bool take_byte(unsigned char byte);

  std::function<void(std::string_view)> word_;
  std::function<void()> line_;
  std::string current_;
  bool full_ = false, in_line_ = false;
  unsigned char letter_[4];  // as much of it as is known
  std::size_t have_ = 0, need_ = 0;
};

/// The words of a short text, each once, in their order. Throws tandem::InvalidArgument where it is no UTF-8.
std::vector<std::string> words_of(std::string_view text);

}  // namespace search
