#pragma once
// Words of text: maximal runs of letters and digits (Unicode's categories L* and Nd), in lower case.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace search {

/// Cuts a stream of UTF-8 text into words and lines. Words are lower-cased letter by letter, by Unicode's
/// simple mapping, and truncated to 255 bytes. O(bytes), constant memory.
class WordCutter {
 public:
  static constexpr std::size_t kMostBytes = 255;

  /// Calls `word` for every word, and `line` at every end of a line, after the words of that line.
  explicit WordCutter(
      std::function<void(std::string_view)> word, std::function<void()> line = [] {});
  /// Takes the next piece of the text, which may end inside a letter. False where this is no text: a byte is
  /// 0, or bytes are not UTF-8.
  bool take(std::string_view piece);
  /// Ends the last word and, unless a line just ended, the last line. False inside a letter.
  bool finish();

 private:
  void add(std::string_view letter);
  void end_word();
  bool take_byte(unsigned char byte);

  std::function<void(std::string_view)> word_;
  std::function<void()> line_;
  std::string current_;
  bool full_ = false, in_line_ = false;
  unsigned char letter_[4];  // its bytes so far
  std::size_t have_ = 0, need_ = 0;
};

/// The distinct words of a short text, in their order. Throws tandem::InvalidArgument where it is no UTF-8.
std::vector<std::string> words_of(std::string_view text);

}  // namespace search
