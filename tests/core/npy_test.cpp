// .npy files: what is written is read again, and whatever is wrong with a file is said, never followed.

#include "lib/core/npy_format.h"

#include "lib/core/test_elements.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <numeric>

#include "lib/harness/test_data.h"
#include "tests/support.h"

namespace tandem {
namespace {

using Bytes = std::vector<std::byte>;
using Shape = std::vector<std::int64_t>;

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void spill(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

// A version 1.0 file around any dict text.
std::string file_with(const std::string& dict, std::size_t data_bytes = 24) {
  const std::string header = dict + "\n";
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  return out + header + std::string(data_bytes, '\x11');
}
std::string dict(const std::string& descr, const std::string& order, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

Bytes random_bytes(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(random_bits(5, i));
  return bytes;
}

}  // namespace

TEST_SUITE_BEGIN("npy");

TEST_CASE("round trips of every type and many shapes") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  for (const Type type : {Type::f16, Type::bf16, Type::f32, Type::f64, Type::i8, Type::i32, Type::i64,
                          Type::u32, Type::u64, Type::u8}) {
    for (const Shape& shape :
         {Shape{}, {0}, {1}, {7}, {3, 4}, {0, 5}, {2, 3, 5}, {1, 1, 1, 1, 1, 1}, {1000}, {4, 0, 3}}) {
      std::size_t count = 1;
      for (const std::int64_t n : shape) count *= static_cast<std::size_t>(n);
      const Bytes data = random_bytes(count * size_of(type));
      write_npy(path, type, shape, data);
      CHECK(slurp(path).find('\n') % 64 == 63);
      const NpyArray array = read_npy(path);
      CHECK(array.type == type);
      CHECK(array.shape == shape);
      CHECK(array.data == data);
      CHECK(array.size() == static_cast<std::int64_t>(count));
    }
  }
  CHECK(directory.count() == 1);
}

TEST_CASE("the bytes are those of numpy.save") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  const auto written = [&](Type type, const Shape& shape) {
    std::size_t bytes = size_of(type);
    for (const std::int64_t n : shape) bytes *= static_cast<std::size_t>(n);
    write_npy(path, type, shape, Bytes(bytes));
    return slurp(path);
  };
  const auto expected = [](const std::string& dict, std::size_t data) {
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dict + std::string(0x75 - dict.size(), ' ') + "\n" +
           std::string(data, '\0');
  };
  CHECK(written(Type::f32, {3}) == expected("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 12));
  CHECK(written(Type::i8, {2, 3}) ==
        expected("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", 6));
  // Of an array of ml_dtypes' bfloat16.
  CHECK(written(Type::bf16, {3}) == expected("{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }", 6));
  CHECK(written(Type::f64, {}) == expected("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8));
  // A shape too long for a two-byte header length makes a version 2.0 file.
  const std::string longest = written(Type::i8, Shape(30000, 1));
  CHECK(longest.substr(6, 2) == std::string("\x02\x00", 2));
  CHECK(read_npy(path).shape.size() == 30000);
}

TEST_CASE("versions 2.0 and 3.0, other spellings and harmless orders are read") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  const std::string header = dict("'<i4'", "False", "(2, 3)") + "\n";
  for (const char version : {'\2', '\3'}) {
    std::string content = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(header.size()) +
                          std::string(3, '\0') + header + std::string(24, '\x11');
    spill(path, content);
    CHECK(read_npy(path).as<std::int32_t>()[5] == 0x11111111);
  }
  for (const std::string& text :
       {dict("'<i4'", "True", "(6,)"), dict("'=i4'", "False", "(6,)"),
        dict("\"<i4\"", "False", "(6)") /* refused */,
        std::string("{'shape':(6 ,),'fortran_order':False,'descr':'<i4'}   "),
        std::string(" { \"shape\" : ( 2 , 3 ) , \"descr\" : \"<f4\" , \"fortran_order\" : False , } \t")}) {
    spill(path, file_with(text));
    if (contains(text, "(6)"))
      CHECK(contains(thrown<BadFile>([&] { read_npy(path); }), "a tuple such as (3,) is needed"));
    else
      CHECK(read_npy(path).size() == 6);
  }
  for (const std::string descr : {"'<V2'", "'|V2'"}) {  // numpy writes '|V2' where it has read '<V2'
    spill(path, file_with(dict(descr, "False", "(12,)")));
    CHECK(read_npy(path).as<bfloat16>().size() == 12);
  }
  spill(path, file_with(dict("'<f4'", "False", "(6,)")));
  CHECK(contains(thrown<InvalidArgument>([&] { read_npy(path).as<double>(); }), "type f32; f64 is needed"));
}

TEST_CASE("Fortran order and big-endian elements are read as others, and written as asked for") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  for (const Shape& shape : {Shape{}, {6}, {2, 3}, {3, 2, 4}, {2, 1, 3, 2}, {2, 0, 3}}) {
    std::size_t count = 1;
    for (const std::int64_t n : shape) count *= static_cast<std::size_t>(n);
    std::vector<std::int32_t> lying(count);  // element number k of the file is k
    std::iota(lying.begin(), lying.end(), 0);
    for (const NpyFormat format : {NpyFormat{false, false}, {false, true}, {true, false}, {true, true}}) {
      write_npy(path, Type::i32, shape, std::as_bytes(std::span(lying)), format);
      const std::string content = slurp(path);
      CHECK(contains(content, format.big_endian ? "'>i4'" : "'<i4'"));
      CHECK(contains(content, format.fortran_order ? "'fortran_order': True" : "'fortran_order': False"));
      CHECK(npy_content(Type::i32, shape, std::as_bytes(std::span(lying)), format) == content);
      if (count > 2) CHECK(content[content.size() - count * 4 + (format.big_endian ? 7 : 4)] == 1);
      NpyFormat found, parsed;
      const NpyArray as_is = read_npy(path, found), in_memory = parse_npy("a pipe", content, parsed);
      CHECK((found.fortran_order == format.fortran_order && found.big_endian == format.big_endian));
      CHECK((parsed.fortran_order == format.fortran_order && parsed.big_endian == format.big_endian));
      CHECK(std::ranges::equal(as_is.as<std::int32_t>(), lying));
      CHECK((as_is.shape == shape && in_memory.shape == shape && in_memory.data == as_is.data));
      const NpyArray in_c_order = read_npy(path);
      for (std::size_t at = 0; at < count; ++at) {
        std::size_t rest = at, position = at;
        if (format.fortran_order) {
          std::size_t stride = count;
          position = 0;
          for (std::size_t d = shape.size(); d-- > 0;) {
            const auto n = static_cast<std::size_t>(shape[d]);
            position += rest % n * (stride /= n);
            rest /= n;
          }
        }
        CHECK(in_c_order.as<std::int32_t>()[at] == static_cast<std::int32_t>(position));
      }
    }
  }
  CHECK(contains(thrown<BadFile>([] {
                   NpyFormat format;
                   parse_npy("a pipe", "\x93NUMPY", format);
                 }),
                 "a pipe: ends inside the first 8 bytes of a .npy file, which needs 2 more bytes"));
}

TEST_CASE("complex numbers are read and written as their parts where a caller asks for the format") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  const std::vector<float> parts{1, 2, 3, 4, 5, 6};
  const Shape shape{3, 1};
  for (const bool big_endian : {false, true}) {
    const NpyFormat format{.big_endian = big_endian, .complex = true};
    write_npy(path, Type::f32, shape, std::as_bytes(std::span(parts)), format);
    const std::string content = slurp(path);
    CHECK(contains(content, big_endian ? "'>c8'" : "'<c8'"));
    CHECK(content[content.size() - 24 + (big_endian ? 0 : 3)] ==
          0x3F);  // the first byte of 1, each part by itself
    NpyFormat found;
    const NpyArray read = read_npy(path, found);
    CHECK((found.complex && found.big_endian == big_endian && read.type == Type::f32 && read.shape == shape));
    CHECK(std::ranges::equal(read.as<float>(), parts));
    CHECK(contains(thrown<BadFile>([&] { read_npy(path); }), "c8'; f2, V2"));
  }
  CHECK(element_name(Type::f64, {.complex = true}) == "complex f64");
  const NpyFormat complex{.complex = true};
  CHECK(contains(npy_content(Type::f64, Shape{0}, {}, complex), "'<c16'"));
  CHECK(contains(thrown<InvalidArgument>([&] { npy_content(Type::i32, Shape{0}, {}, complex); }),
                 "type is i32; parts of complex numbers are f32 or f64"));
  CHECK(contains(thrown<InvalidArgument>([&] { npy_content(Type::f32, Shape{1}, Bytes(4), complex); }),
                 "size of 'data' is 4 bytes; shape (1,) of complex f32"));
  const std::string one = npy_content(Type::f32, Shape{1}, Bytes(8), complex);
  spill(path, std::string_view(one).substr(0, one.size() - 4));
  NpyFormat format;
  CHECK(contains(thrown<BadFile>([&] { read_npy(path, format); }),
                 "has 4 bytes of data; shape (1,) of complex f32 needs 8"));
}

TEST_CASE("a file cut off anywhere is refused") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy", cut = directory / "cut.npy";
  for (const Shape& shape : {Shape{5}, Shape{}, Shape(30000, 1)}) {
    write_npy(path, shape.size() > 1 ? Type::i8 : Type::f64, shape,
              Bytes(shape.empty()      ? 8
                    : shape.size() > 1 ? 1
                                       : 40));
    const std::string whole = slurp(path);
    const std::size_t step = whole.size() > 1000 ? 97 : 1;
    int refused = 0, tried = 0;
    for (std::size_t length = 0; length < whole.size(); length += step, ++tried) {
      spill(cut, std::string_view(whole).substr(0, length));
      try {
        read_npy(cut);
      } catch (const BadFile& error) {
        refused += error.offset <= length && error.file == cut;
      }
    }
    CHECK(refused == tried);
    CHECK(tried > 100);
    spill(cut, whole + "x");
    CHECK(contains(thrown<BadFile>([&] { read_npy(cut); }), "bytes of data; shape"));
  }
}

TEST_CASE("every bit of a header flipped: refused, or a well-formed array") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  write_npy(path, Type::i32, Shape{3, 4}, random_bytes(48));
  const std::string whole = slurp(path);
  int refused = 0, read = 0;
  for (std::size_t bit = 0; bit < 128 * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    spill(path, flipped);
    try {
      const NpyArray array = read_npy(path);
      std::int64_t count = 1;
      for (const std::int64_t n : array.shape) count *= n;
      CHECK(array.data.size() == static_cast<std::size_t>(count) * size_of(array.type));
      ++read;
    } catch (const BadFile& error) {
      CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
      CHECK(error.offset <= whole.size());
      ++refused;
    }
  }
  CHECK(refused + read == 128 * 8);
  CHECK(refused > 900);
  CHECK(read > 0);  // '<i4' and '<f4' differ in few bits
}

TEST_CASE("headers that say something else are refused with what was found and what is needed") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  struct {
    std::string content, part;
  } const bad[] = {
      {file_with(dict("'>f3'", "False", "(6,)")),
       "'>f3'; f2, V2, f4, f8, i1, i4, i8, u4, u8 and u1 are read"},
      {file_with(dict("'>V2'", "False", "(12,)")), "'>V2'; f2, V2"},
      {file_with(dict("'|b1'", "False", "(6,)")), "'|b1'; f2, V2"},
      {file_with(dict("'<u2'", "False", "(6,)")), "'<u2'; f2, V2"},
      {file_with(dict("'<c8'", "False", "(3,)")), "'<c8'; f2, V2"},
      {file_with(dict("'|O'", "False", "(3,)")), "'|O'; f2, V2"},
      {file_with(dict("'|f4'", "False", "(6,)")), "'|f4'; f2, V2"},
      {file_with(dict("''", "False", "(6,)")), "''; f2, V2"},
      {file_with(dict("[('a', '<f4')]", "False", "(6,)")), "elements are structures"},
      {file_with(dict("'<f4", "False", "(6,)")), "'<f4, '; f2, V2"},
      {file_with(dict("f4", "False", "(6,)")), "where a type is needed"},
      {file_with(dict("'<f4'", "false", "(6,)")), "True or False is needed"},
      {file_with(dict("'<f4'", "1", "(6,)")), "True or False is needed"},
      {file_with(dict("'<f4'", "False", "(-6,)")), "a dimension is negative: -6"},
      {file_with(dict("'<f4'", "False", "(9223372036854775808,)")), "does not fit in 63 bits"},
      {file_with(dict("'<f4'", "False", "(99999999999999999999999999,)")), "does not fit in 63 bits"},
      {file_with(dict("'<f4'", "False", "(9223372036854775807,)")), "more than 2^63 bytes"},
      {file_with(dict("'<f8'", "False", "(2147483648, 2147483648)")), "more than 2^63 bytes"},
      {file_with(dict("'<f4'", "False", "(4611686018427387904, 4)")), "more than 2^63 bytes"},
      {file_with(dict("'<f4'", "False", "(1099511627776,)")),
       "has 24 bytes of data; shape (1099511627776,) of f32 needs"},
      {file_with(dict("'<f4'", "False", "(7,)")), "has 24 bytes of data; shape (7,) of f32 needs 28"},
      {file_with(dict("'<f4'", "False", "(5,)")), "has 24 bytes of data; shape (5,) of f32 needs 20"},
      {file_with(dict("'<f4'", "False", "(6.0,)")), "a tuple such as (3,) is needed"},
      {file_with(dict("'<f4'", "False", "(2, 3.0)")), "',' or ')'"},
      {file_with(dict("'<f4'", "False", "(x,)")), "a number is needed"},
      {file_with(dict("'<f4'", "False", "(,)")), "a number is needed"},
      {file_with(dict("'<f4'", "False", "(2 3)")), "shape is a number"},
      {file_with(dict("'<f4'", "False", "(2, 3 4)")), "',' or ')'"},
      {file_with(dict("'<f4'", "False", "6")), "where a tuple as shape is needed"},
      {file_with(dict("'<f4'", "False", "[6]")), "where a tuple as shape is needed"},
      {file_with("['descr', '<f4']"), "where a dict is needed"},
      {file_with(""), "has its end where a dict is needed"},
      {file_with("{}"), "has no key 'descr'"},
      {file_with("{'descr': '<f4', 'shape': (6,)}"), "has no key 'fortran_order'"},
      {file_with("{'descr': '<f4', 'fortran_order': False}"), "has no key 'shape'"},
      {file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'color': 3}"),
       "key 'color' is unknown"},
      {file_with("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (6,)}"), "there twice"},
      {file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} 1"), "goes on behind its dict"},
      {file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)"), "',' or '}'"},
      {file_with("{'descr' '<f4', 'fortran_order': False, 'shape': (6,)}"), "':' behind a key"},
      {std::string("\x93NUMPY\x04\x00", 8) + std::string(100, ' '),
       "format version 4.0; 1.0, 2.0 and 3.0 are read"},
      {std::string("\x93NUMPY\x01\x01", 8) + std::string(100, ' '), "format version 1.1"},
      {std::string("\x93NUMPY\x00\x00", 8) + std::string(100, ' '), "format version 0.0"},
      {std::string("PK\x03\x04zipped, so .npz"), "is not a .npy file"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14),
       "ends inside its header, which needs 4294967293 more bytes"},
      {std::string(), "ends inside the first 8 bytes"},
  };
  for (const auto& file : bad) {
    spill(path, file.content);
    const std::string message = thrown<BadFile>([&] { read_npy(path); });
    CHECK_MESSAGE(contains(message, file.part), "'", message, "' does not say '", file.part, "'");
    CHECK(message.starts_with(path + ": "));
    CHECK(contains(message, "(at byte "));
  }
}

TEST_CASE("paths that are no files are refused") {
  const TemporaryDirectory directory;
  CHECK(
      contains(thrown<BadFile>([&] { read_npy(directory / "none.npy"); }), "cannot be opened: No such file"));
  CHECK(contains(thrown<BadFile>([&] { read_npy(directory / "."); }), "is a directory"));
  CHECK(contains(thrown<BadFile>([&] { read_npy("/dev/zero"); }), "is not a regular file"));
  REQUIRE(mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(contains(thrown<BadFile>([&] { read_npy(directory / "pipe"); }), "is not a regular file"));

  const Bytes data(4);
  const Shape one{1};
  CHECK(
      contains(thrown<BadFile>([&] { write_npy(directory / ".", Type::f32, one, data); }), "is a directory"));
  CHECK(contains(thrown<BadFile>([&] { write_npy(directory / "no/where.npy", Type::f32, one, data); }),
                 "cannot be created: No such file"));
  write_npy("/dev/null", Type::f32, one, data);  // as for any file: what is a device is written as it is
  CHECK(directory.count() == 1);
}

TEST_CASE("what cannot be written is refused") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  const Bytes data(12);
  const auto write = [&](Type type, const Shape& shape) {
    return thrown<InvalidArgument>([&] { write_npy(path, type, shape, data); });
  };
  CHECK(contains(write(kBicyclic, {1}), "bicyclic"));
  CHECK(contains(write(Type::f32, {4}), "size of 'data' is 12 bytes; shape (4,) of f32"));
  CHECK(contains(write(Type::f32, {-3}), "shape is (-3,)"));
  CHECK(contains(write(Type::f32, {std::int64_t{1} << 62, 4}), "size of 'data' is 12 bytes"));
  CHECK(directory.count() == 0);
}

TEST_CASE("a write that fails leaves the old file and nothing else") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy";
  write_npy(path, Type::i8, Shape{3}, Bytes(3, std::byte{7}));
  const std::string before = slurp(path);

  // The system refuses files of more than 4096 bytes: the write fails in its middle.
  rlimit limit;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = limit;
  small.rlim_cur = 4096;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string message =
      thrown<BadFile>([&] { write_npy(path, Type::i8, Shape{100000}, Bytes(100000)); });
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);
  CHECK(contains(message, "cannot be written: File too large (at byte 4096)"));
  CHECK(slurp(path) == before);
  CHECK(directory.count() == 1);

  write_npy(path, Type::i8, Shape{1}, Bytes(1, std::byte{9}));
  CHECK(read_npy(path).as<std::int8_t>()[0] == 9);
  CHECK(directory.count() == 1);
}

TEST_CASE("a link stays a link, and what it leads to is replaced") {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.npy", link = directory / "link.npy";
  write_npy(path, Type::i8, Shape{1}, Bytes(1, std::byte{7}));
  std::filesystem::create_symlink("a.npy", link);
  write_npy(link, Type::i8, Shape{1}, Bytes(1, std::byte{9}));
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_npy(path).as<std::int8_t>()[0] == 9);
  CHECK(directory.count() == 2);
  std::filesystem::remove(path);
  CHECK(contains(thrown<BadFile>([&] { write_npy(link, Type::i8, Shape{1}, Bytes(1)); }), "leads nowhere"));
  CHECK(std::filesystem::is_symlink(link));
}

TEST_SUITE_END();

}  // namespace tandem
