// Fuzz target: .npy files.

#include "tandem/npy.h"
#include "tandem/error.h"
#include "tests/fuzz/target.h"

using namespace tandem;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  file.hold({reinterpret_cast<const char*>(data), size});
  try {
    const NpyArray array = read_npy(file.path());
    std::int64_t elements = 1;
    for (const std::int64_t n : array.shape) elements *= n;
    fuzz::require(elements == array.size(), "the shape says how many elements there are");
    fuzz::require(array.data.size() < size, "the data is in the file");
  } catch (const BadFile& error) {
    fuzz::require(error.offset <= size, "the offset lies in the file");
    fuzz::require(std::string_view(error.what()).find('\n') == std::string_view::npos,
                  "a message is one line");
  }
  return 0;
}

namespace {
std::string version_2(const std::string& dict, std::string_view elements) {
  const auto length = static_cast<std::uint32_t>(dict.size());
  return std::string("\x93NUMPY\x02\0", 8) + std::string(reinterpret_cast<const char*>(&length), 4) + dict +
         std::string(elements);
}
}  // namespace

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> all;
  const auto add = [&](Type type, const std::vector<std::int64_t>& shape, std::size_t bytes) {
    const std::vector<std::byte> data(bytes, std::byte{7});
    all.push_back(written([&](const std::string& path) { write_npy(path, type, shape, data); }));
  };
  add(Type::f32, {3, 4}, 48);
  add(Type::i8, {5}, 5);
  add(Type::f64, {}, 8);
  add(Type::i64, {2, 0, 3}, 0);
  add(Type::f16, {1, 1, 1, 1, 1, 1, 2}, 4);
  all.push_back(version_2("{'shape':(2,),'fortran_order':True,\"descr\":'<i4'}", "12345678"));
  return all;
}
