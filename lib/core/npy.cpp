#include "lib/core/npy_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "lib/core/type_table.h"
#include "tandem/error.h"
#include "tandem/file.h"

namespace tandem {
namespace {

static_assert(std::endian::native == std::endian::little,
              "what is written is little-endian unless said otherwise");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // data starts at a multiple of it
constexpr std::size_t kGrowthDigits =
    21;  // numpy leaves room for the first dimension to grow to this many digits
// "f2, f4, … and u1 are read"
std::string accepted() {
  std::string codes;
  const auto types = all_types();
  for (const Type type : types)
    codes += (codes.empty() ? "" : type == types.back() ? " and " : ", ") + std::string(npy_code(type));
  return codes + " are read";
}

// NumPy never turns the bytes of a V2 around.
bool has_byte_order(Type type) { return !npy_code(type).starts_with('V'); }

bool has_complex(Type type) { return npy_code(type) == "f4" || npy_code(type) == "f8"; }
// "f4", or "c8" of two such parts.
std::string element_code(Type type, bool complex) {
  return complex ? fmt::format("c{}", 2 * size_of(type)) : std::string(npy_code(type));
}
std::size_t element_bytes(Type type, NpyFormat format) { return size_of(type) * (format.complex ? 2 : 1); }

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
  HeaderParser(const std::string& file, std::string_view text, std::uint64_t offset, bool takes_complex)
      : file_(file), text_(text), offset_(offset), takes_complex_(takes_complex) {}

  void parse(Type& type, std::vector<std::int64_t>& shape, NpyFormat& format) {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{', "a dict");
    while (!take('}')) {
      const std::size_t key_at = skip_blanks();
      const std::string_view key = string("a key");
      expect(':', "':' behind a key");
      skip_blanks();
      if (key == "descr" && !std::exchange(has_type, true)) {
        type = element_type(format);
      } else if (key == "fortran_order" && !std::exchange(has_order, true)) {
        format.fortran_order = boolean();
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
  Type element_type(NpyFormat& format) {
    const std::size_t at = at_;
    if (at_ < text_.size() && text_[at_] == '[')
      fail(at, fmt::format("elements are structures; {}", accepted()));
    const std::string_view descr = string("a type");
    if (!descr.empty()) {
      const char order = descr[0];
      for (const Type type : all_types()) {
        format.complex = takes_complex_ && has_complex(type) && descr.substr(1) == element_code(type, true);
        if (!format.complex && descr.substr(1) != npy_code(type)) continue;
        format.big_endian = order == '>' && size_of(type) > 1;
        const bool plain = size_of(type) == 1 || !has_byte_order(type);
        if (order == '<' || order == '=' || (order == '>' && has_byte_order(type)) || (order == '|' && plain))
          return type;
      }
    }
    const char* const cure = descr == "|b1" ? "; x.view('u1') has truth values as bytes" : "";
    fail(at, fmt::format("elements are '{}'; {}{}", printable(descr), accepted(), cure));
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
  bool takes_complex_;
  std::size_t at_ = 0;
};

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

std::string header(Type type, std::span<const std::int64_t> shape, NpyFormat format) {
  std::string dict = fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': {}, }}",
                                 size_of(type) == 1  ? '|'
                                 : format.big_endian ? '>'
                                                     : '<',
                                 element_code(type, format.complex), format.fortran_order ? "True" : "False",
                                 tuple_of(shape));
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

// --- the whole file

// Content in memory, read as a file::Input is.
class Memory {
 public:
  explicit Memory(std::string_view content) : content_(content) {}
  std::uint64_t size() const { return content_.size(); }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return size() - offset_; }
  void read(void* to, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, content_.data() + offset_, bytes);
    offset_ += bytes;
  }

 private:
  std::string_view content_;
  std::size_t offset_ = 0;
};

// From one order of bytes to the other.
void swap_bytes(std::span<std::byte> data, std::size_t element_bytes) {
  for (std::size_t i = 0; i + element_bytes <= data.size(); i += element_bytes)
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(i),
                 data.begin() + static_cast<std::ptrdiff_t>(i + element_bytes));
}

template <class File>
NpyArray read(const std::string& path, File& file, NpyFormat& format, bool takes_complex) {
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
  HeaderParser(path, text, text_at, takes_complex).parse(array.type, array.shape, format);
  std::int64_t bytes;
  if (!count_bytes(array.shape, element_bytes(array.type, format), bytes)) {
    throw BadFile(path, text_at, fmt::format("shape {} is more than 2^63 bytes", show(array.shape)));
  }
  if (file.left() != static_cast<std::uint64_t>(bytes)) {
    throw BadFile(path, file.left() < static_cast<std::uint64_t>(bytes) ? file.size() : file.offset() + bytes,
                  fmt::format("has {} bytes of data; shape {} of {} needs {}", file.left(), show(array.shape),
                              element_name(array.type, format), bytes));
  }
  array.data.resize(static_cast<std::size_t>(bytes));
  file.read(array.data.data(), array.data.size());
  if (format.big_endian) swap_bytes(array.data, size_of(array.type));
  return array;
}

NpyArray read_file(const std::string& path, NpyFormat& format, bool takes_complex) {
  file::Input file(path, "a .npy file");
  return read(path, file, format, takes_complex);
}

// Calls put(bytes, how many) for one piece of the file after the other.
template <class Put>
void write(Type type, std::span<const std::int64_t> shape, std::span<const std::byte> data, NpyFormat format,
           Put&& put) {
  if (npy_code(type).empty())
    throw InvalidArgument(fmt::format("write_npy: type is {}, which no .npy file can hold", name(type)));
  if (format.complex && !has_complex(type))
    throw InvalidArgument(
        fmt::format("write_npy: type is {}; parts of complex numbers are f32 or f64", name(type)));
  for (const std::int64_t n : shape) {
    if (n < 0)
      throw InvalidArgument(fmt::format("write_npy: shape is {}; no dimension may be negative", show(shape)));
  }
  std::int64_t bytes;
  if (!count_bytes(shape, element_bytes(type, format), bytes) ||
      static_cast<std::uint64_t>(bytes) != data.size()) {
    throw InvalidArgument(
        fmt::format("write_npy: size of 'data' is {} bytes; shape {} of {} needs another number", data.size(),
                    show(shape), element_name(type, format)));
  }
  format.big_endian &= has_byte_order(type);
  const std::string start = header(type, shape, format);
  put(start.data(), start.size());
  if (format.big_endian) {
    std::vector<std::byte> swapped(data.begin(), data.end());
    swap_bytes(swapped, size_of(type));
    put(swapped.data(), swapped.size());
  } else {
    put(data.data(), data.size());
  }
}

}  // namespace

std::string element_name(Type type, NpyFormat format) {
  return fmt::format("{}{}", format.complex ? "complex " : "", name(type));
}

std::vector<std::byte> axes_reversed(std::span<const std::byte> data, std::size_t element_bytes,
                                     std::span<const std::int64_t> shape) {
  const std::size_t rank = shape.size();
  std::vector<std::int64_t> index(rank),
      stride(rank);  // where the elements come from, in the order in which they go
  std::int64_t from = 0, count = 1;
  for (std::size_t d = rank; d-- > 0;) {
    stride[d] = count;
    if (!data.empty()) count *= shape[d];  // of nothing, dimensions can be any numbers
  }
  std::vector<std::byte> reversed(data.size());
  for (std::size_t to = 0; to < data.size(); to += element_bytes) {
    std::memcpy(&reversed[to], &data[static_cast<std::size_t>(from) * element_bytes], element_bytes);
    for (std::size_t d = 0; d < rank; ++d) {
      from += stride[d];
      if (++index[d] < shape[d]) break;
      from -= stride[d] * std::exchange(index[d], 0);
    }
  }
  return reversed;
}

std::int64_t NpyArray::size() const { return static_cast<std::int64_t>(data.size() / size_of(type)); }

void NpyArray::require_type(Type wanted) const {
  if (type != wanted) {
    throw InvalidArgument(
        fmt::format("array holds elements of type {}; {} is needed", name(type), name(wanted)));
  }
}

NpyArray read_npy(const std::string& path) {
  return detail::translated([&] {
    NpyFormat format;
    NpyArray array = read_file(path, format, false);
    if (format.fortran_order && array.shape.size() > 1) {
      const std::vector<std::int64_t> as_it_lies(array.shape.rbegin(), array.shape.rend());
      array.data = axes_reversed(array.data, size_of(array.type), as_it_lies);
    }
    return array;
  });
}
NpyArray read_npy(const std::string& path, NpyFormat& format) {
  return detail::translated([&] { return read_file(path, format, true); });
}
NpyArray parse_npy(const std::string& name, std::string_view content, NpyFormat& format) {
  Memory memory(content);
  return detail::translated([&] { return read(name, memory, format, true); });
}

void write_npy(const std::string& path, Type type, std::span<const std::int64_t> shape,
               std::span<const std::byte> data) {
  write_npy(path, type, shape, data, {});
}
void write_npy(const std::string& path, Type type, std::span<const std::int64_t> shape,
               std::span<const std::byte> data, NpyFormat format) {
  detail::translated([&] {
    std::optional<file::Replacement> file;  // once the arguments are known to be right
    write(type, shape, data, format, [&](const void* from, std::size_t bytes) {
      if (!file) file.emplace(path);
      file->write(from, bytes);
    });
    file->commit();
  });
}
std::string npy_content(Type type, std::span<const std::int64_t> shape, std::span<const std::byte> data,
                        NpyFormat format) {
  return detail::translated([&] {
    std::string content;
    write(type, shape, data, format, [&](const void* from, std::size_t bytes) {
      content.append(static_cast<const char*>(from), bytes);
    });
    return content;
  });
}

}  // namespace tandem
