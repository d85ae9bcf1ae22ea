#include "tandem/npy.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "lib/core/type_table.h"
#include "tandem/error.h"
#include "tandem/file.h"

namespace tandem {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie in the file");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // data starts at a multiple of it
constexpr std::size_t kGrowthDigits =
    21;  // numpy leaves room for the first dimension to grow to this many digits
// "f2, f4, … and u4 (little-endian) are read"
std::string accepted() {
  std::string codes;
  const auto types = all_types();
  for (const Type type : types)
    codes += (codes.empty() ? "" : type == types.back() ? " and " : ", ") + std::string(npy_code(type));
  return codes + " (little-endian) are read";
}

// --- shapes

// As Python writes it: (), (3,), (3, 4).
std::string tuple_of(std::span<const std::int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}
// The same for a message, which stays one line whatever a file claims.
std::string show(std::span<const std::int64_t> shape) {
  constexpr std::size_t kMost = 8;
  if (shape.size() <= kMost) return tuple_of(shape);
  return fmt::format("({}, … {} dimensions)", fmt::join(shape.first(kMost), ", "), shape.size());
}

// Product of the dimensions times `element_bytes`; false when it does not fit in 63 bits.
bool count_bytes(std::span<const std::int64_t> shape, std::size_t element_bytes, std::int64_t& bytes) {
  bytes = static_cast<std::int64_t>(element_bytes);
  for (const std::int64_t n : shape) {
    if (n == 0) return bytes = 0, true;
  }
  for (const std::int64_t n : shape) {
    if (__builtin_mul_overflow(bytes, n, &bytes)) return false;
  }
  return true;
}

// --- the header: a Python dict with the keys descr, fortran_order and shape

class HeaderParser {
 public:
  HeaderParser(const std::string& file, std::string_view text, std::uint64_t offset)
      : file_(file), text_(text), offset_(offset) {}

  void parse(Type& type, std::vector<std::int64_t>& shape) {
    bool has_type = false, has_order = false, has_shape = false, fortran = false;
    std::size_t order_at = 0;
    expect('{', "a dict");
    while (!take('}')) {
      const std::size_t key_at = skip_blanks();
      const std::string_view key = string("a key");
      expect(':', "':' behind a key");
      const std::size_t at = skip_blanks();
      if (key == "descr" && !std::exchange(has_type, true)) {
        type = element_type();
      } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
        order_at = at;
        fortran = boolean();
      } else if (key == "shape" && !std::exchange(has_shape, true)) {
        shape = tuple();
      } else {
        fail(
            key_at,
            fmt::format("key '{}' is unknown or there twice; 'descr', 'fortran_order' and 'shape' are needed",
                        printable(key)));
      }
      if (!take(',')) {
        expect('}', "',' or '}' behind a value");
        break;
      }
    }
    if (skip_blanks() != text_.size()) fail(at_, "the header goes on behind its dict");
    if (!has_type || !has_order || !has_shape) {
      fail(0, fmt::format("the header has no key '{}'", !has_type    ? "descr"
                                                        : !has_order ? "fortran_order"
                                                                     : "shape"));
    }
    if (fortran && shape.size() > 1) {
      fail(order_at,
           fmt::format("is in Fortran order with shape {}; C order is needed (numpy.ascontiguousarray)",
                       show(shape)));
    }
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& text) const {
    throw BadFile(file_, offset_ + at, text);
  }

  static std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40)) out += c >= ' ' && c < 127 ? c : '?';
    return out;
  }
  // What stands at the cursor, for messages.
  std::string found() const {
    return at_ < text_.size() ? fmt::format("'{}'", printable(text_.substr(at_, 12))) : "its end";
  }

  std::size_t skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_;
  }
  bool take(char c) {
    if (skip_blanks() == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* what) {
    if (!take(c)) fail(at_, fmt::format("the header has {} where {} is needed", found(), what));
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::string_view string(const char* what) {
    const char quote = skip_blanks() < text_.size() ? text_[at_] : '\0';
    const std::size_t end =
        quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos)
      fail(at_, fmt::format("the header has {} where {} is needed", found(), what));
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return value;
  }
  bool boolean() {
    if (take_word("True")) return true;
    if (take_word("False")) return false;
    fail(at_, fmt::format("fortran_order is {}; True or False is needed", found()));
  }
  Type element_type() {
    const std::size_t at = at_;
    if (at_ < text_.size() && text_[at_] == '[')
      fail(at, fmt::format("elements are structures; {}", accepted()));
    const std::string_view descr = string("a type");
    if (descr.size() == 3) {
      const char order = descr[0];
      for (const Type type : all_types()) {
        const std::string_view code = npy_code(type);
        if (descr.substr(1) != code) continue;
        if (order == '<' || order == '=' || (size_of(type) == 1 && (order == '|' || order == '>')))
          return type;
        if (order == '>') fail(at, fmt::format("elements are '{}', big-endian; {}", descr, accepted()));
      }
    }
    fail(at, fmt::format("elements are '{}'; {}", printable(descr), accepted()));
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> values;
    expect('(', "a tuple as shape");
    while (!take(')')) {
      values.push_back(dimension());
      if (!take(',')) {
        if (values.size() == 1) fail(at_, "shape is a number in parentheses; a tuple such as (3,) is needed");
        expect(')', "',' or ')' behind a dimension");
        break;
      }
    }
    return values;
  }
  std::int64_t dimension() {
    const std::size_t at = skip_blanks();
    if (take('-')) fail(at, fmt::format("a dimension is negative: -{}", printable(text_.substr(at_, 20))));
    std::int64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value)) {
        fail(at, "a dimension does not fit in 63 bits");
      }
      ++at_;
    }
    if (at_ == at) fail(at, fmt::format("a dimension is {}; a number is needed", found()));
    return value;
  }

  const std::string& file_;
  std::string_view text_;
  std::uint64_t offset_;  // of the text in the file
  std::size_t at_ = 0;
};

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

std::string header(Type type, std::span<const std::int64_t> shape) {
  std::string dict = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}",
                                 size_of(type) == 1 ? '|' : '<', npy_code(type), tuple_of(shape));
  if (!shape.empty()) dict.append(kGrowthDigits - fmt::formatted_size("{}", shape[0]), ' ');
  // Version 1.0 counts the header in two bytes, 2.0 in four.
  const auto pad = [&](std::size_t prefix) {
    dict.append(kAlignment - (prefix + dict.size() + 1) % kAlignment,
                ' ');  // 64 blanks where none would do, as numpy
    dict += '\n';
  };
  const std::string dict_without_padding = dict;
  pad(kMagic.size() + 2 + 2);
  if (dict.size() <= 0xFFFF) return std::string(kMagic) + '\1' + '\0' + little_endian(dict.size(), 2) + dict;
  dict = dict_without_padding;
  pad(kMagic.size() + 2 + 4);
  return std::string(kMagic) + '\2' + '\0' + little_endian(dict.size(), 4) + dict;
}

NpyArray read(const std::string& path) {
  file::Input file(path, "a .npy file");
  const auto need = [&](std::uint64_t bytes, const char* what) {
    if (file.left() < bytes) {
      throw BadFile(path, file.size(),
                    fmt::format("ends inside {}, which needs {} more bytes", what, bytes - file.left()));
    }
  };

  std::array<unsigned char, 12> start{};
  need(8, "the first 8 bytes of a .npy file");
  file.read(start.data(), 8);
  if (std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0) {
    throw BadFile(path, 0, "is not a .npy file: it does not start with \\x93NUMPY");
  }
  const int major = start[6], minor = start[7];
  if (major < 1 || major > 3 || minor != 0) {
    throw BadFile(path, 6, fmt::format("has format version {}.{}; 1.0, 2.0 and 3.0 are read", major, minor));
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  need(length_bytes, "the length of its header");
  file.read(start.data() + 8, length_bytes);
  std::uint64_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | start[8 + i];
  need(length, "its header");
  std::string text(length, '\0');
  const std::uint64_t text_at = file.offset();
  file.read(text.data(), text.size());

  NpyArray array;
  HeaderParser(path, text, text_at).parse(array.type, array.shape);
  std::int64_t bytes;
  if (!count_bytes(array.shape, size_of(array.type), bytes)) {
    throw BadFile(path, text_at, fmt::format("shape {} is more than 2^63 bytes", show(array.shape)));
  }
  if (file.left() != static_cast<std::uint64_t>(bytes)) {
    throw BadFile(path, file.left() < static_cast<std::uint64_t>(bytes) ? file.size() : file.offset() + bytes,
                  fmt::format("has {} bytes of data; shape {} of {} needs {}", file.left(), show(array.shape),
                              name(array.type), bytes));
  }
  array.data.resize(static_cast<std::size_t>(bytes));
  file.read(array.data.data(), array.data.size());
  return array;
}

void write(const std::string& path, Type type, std::span<const std::int64_t> shape,
           std::span<const std::byte> data) {
  if (npy_code(type).empty())
    throw InvalidArgument(fmt::format("write_npy: type is {}, which no .npy file can hold", name(type)));
  for (const std::int64_t n : shape) {
    if (n < 0)
      throw InvalidArgument(fmt::format("write_npy: shape is {}; no dimension may be negative", show(shape)));
  }
  std::int64_t bytes;
  if (!count_bytes(shape, size_of(type), bytes) || static_cast<std::uint64_t>(bytes) != data.size()) {
    throw InvalidArgument(
        fmt::format("write_npy: size of 'data' is {} bytes; shape {} of {} needs another number", data.size(),
                    show(shape), name(type)));
  }
  file::Replacement file(path);
  const std::string start = header(type, shape);
  file.write(start.data(), start.size());
  file.write(data.data(), data.size());
  file.commit();
}

}  // namespace

std::int64_t NpyArray::size() const { return static_cast<std::int64_t>(data.size() / size_of(type)); }

void NpyArray::require_type(Type wanted) const {
  if (type != wanted) {
    throw InvalidArgument(
        fmt::format("array holds elements of type {}; {} is needed", name(type), name(wanted)));
  }
}

NpyArray read_npy(const std::string& path) {
  return detail::translated([&] { return read(path); });
}
void write_npy(const std::string& path, Type type, std::span<const std::int64_t> shape,
               std::span<const std::byte> data) {
  detail::translated([&] { write(path, type, shape, data); });
}

}  // namespace tandem
