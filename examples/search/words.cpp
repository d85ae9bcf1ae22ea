#include "words.h"

#include <tandem/tandem.h>
#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace search {
namespace {

/// The lower case of ASCII's letters and digits, 0 for the others.
constexpr auto kAscii = [] {
  std::array<char, 128> lower{};
  for (char c = '0'; c <= '9'; ++c) lower[static_cast<std::size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) {
    lower[static_cast<std::size_t>(c)] = c;
    lower[static_cast<std::size_t>(c - 'a' + 'A')] = c;
  }
  return lower;
}();

bool in_words(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
      return true;
    default:
      return false;
  }
}

}  // namespace

WordCutter::WordCutter(std::function<void(std::string_view)> word, std::function<void()> line)
    : word_(std::move(word)), line_(std::move(line)) {}

bool WordCutter::take(std::string_view piece) {
  for (const char c : piece) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 128 || have_ > 0) {
      if (!take_byte(byte)) return false;
    } else if (const char lower = kAscii[byte]) {
      in_line_ = true;
      add({&lower, 1});
    } else {
      if (byte == 0) return false;
      end_word();
      in_line_ = byte != '\n';
      if (byte == '\n') line_();
    }
  }
  return true;
}

bool WordCutter::finish() {
  end_word();
  if (in_line_) line_();
  return have_ == 0;
}

void WordCutter::add(std::string_view letter) {
  full_ = full_ || current_.size() + letter.size() > kMostBytes;
  if (!full_) current_ += letter;
}

void WordCutter::end_word() {
  if (current_.empty()) return;
  word_(current_);
  current_.clear();
  full_ = false;
}

bool WordCutter::take_byte(unsigned char byte) {
  if (have_ == 0) need_ = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
  letter_[have_++] = byte;
  if (have_ < need_) return true;
  have_ = 0;
  utf8proc_int32_t code;
  if (utf8proc_iterate(letter_, static_cast<utf8proc_ssize_t>(need_), &code) !=
      static_cast<utf8proc_ssize_t>(need_))
    return false;
  in_line_ = true;
  if (!in_words(code)) {
    end_word();
    return true;
  }
  unsigned char lower[4];
  const auto bytes = static_cast<std::size_t>(utf8proc_encode_char(utf8proc_tolower(code), lower));
  add({reinterpret_cast<const char*>(lower), bytes});
  return true;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  WordCutter cutter([&](std::string_view word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.emplace_back(word);
  });
  if (!cutter.take(text) || !cutter.finish())
    throw tandem::InvalidArgument("search: a query is not valid UTF-8, or holds a byte 0");
  return words;
}

}  // namespace search
