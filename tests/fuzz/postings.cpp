// Fuzz target: files of posting lists and of queries. The first byte of an input says which.

#include "tandem/error.h"
#include "tandem/posting_files.h"
#include "tests/fuzz/target.h"

using namespace tandem;

namespace {

constexpr std::int64_t kLists = 300;  // of the index that queries are over

const Index& index_of_queries() {
  static const Index index(std::vector<std::vector<std::uint32_t>>(kLists, {1, 2}));
  return index;
}

void read_lists(const std::string& path, std::size_t size, IndexFormat format) {
  const Index index = read_index(path, format);
  fuzz::require(static_cast<std::size_t>(4 * index.ids()) <= size, "all ids are in the file");
  for (std::int64_t l = 0; l < index.lists(); ++l) {
    const auto ids = index[l];
    for (std::size_t i = 1; i < ids.size(); ++i) fuzz::require(ids[i - 1] < ids[i], "ids ascend");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::MemoryFile file;
  if (size == 0) return 0;
  const char which = static_cast<char>(*data);
  file.hold({reinterpret_cast<const char*>(data) + 1, size - 1});
  try {
    if (which == 'q') {
      for (const std::uint32_t list : read_queries(file.path(), index_of_queries()).lists)
        fuzz::require(list < kLists, "queries name lists that there are");
    } else {
      read_lists(file.path(), size - 1, which == 'd' ? IndexFormat::pisa_docs : IndexFormat::exp_index);
    }
  } catch (const BadFile& error) {
    fuzz::require(error.offset < size, "the offset lies in the file");
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> all{"q0 1 2\n\n299\t17\r\n4294967295", "q7"};
  const Index index(std::vector<std::vector<std::uint32_t>>{{7, 9, 200}, {}, {0, 1, 0x7FFFFFFF}, {5}});
  for (const auto& [which, format] :
       {std::pair{'d', IndexFormat::pisa_docs}, {'e', IndexFormat::exp_index}}) {
    all.push_back(
        which + written([&, format = format](const std::string& path) { write_index(path, index, format); }));
  }
  return all;
}
