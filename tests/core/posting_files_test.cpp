// Files of posting lists and queries: written and read as the formats say, and refused where they are cut off
// or damaged.

#include <fmt/format.h>

#include <chrono>
#include <fstream>

#include "tandem/tandem.h"
#include "tests/posting_lists.h"
#include "tests/support.h"

namespace tandem {
namespace {

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void spill(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}
std::string words(const Ids& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]};
}

Lists lists_of(const Index& index) {
  Lists lists;
  for (std::int64_t l = 0; l < index.lists(); ++l) lists.emplace_back(index[l].begin(), index[l].end());
  return lists;
}
bool sound(const Index& index) {
  for (const Ids& list : lists_of(index)) {
    for (std::size_t i = 1; i < list.size(); ++i) {
      if (list[i] <= list[i - 1]) return false;
    }
  }
  return true;
}

// Whatever is in it, a file is refused at a byte that it has, or holds lists that ascend.
template <class Read>
void survives(const std::string& path, const std::string& content, long& refused, Read read) {
  spill(path, content);
  try {
    read();
  } catch (const BadFile& error) {
    ++refused;
    CHECK(error.offset <= content.size());
  }
}

}  // namespace

TEST_SUITE_BEGIN("posting_files");

TEST_CASE("files are written as the formats say, and read again") {
  const TemporaryDirectory directory;
  const std::string path = directory / "index";
  const Index index(Lists{{7, 9}, {}, {0, 1, 0xFFFFFFFE}});
  write_index(path, index);
  CHECK(slurp(path) == words({2, 7, 9, 0, 3, 0, 1, 0xFFFFFFFE}));
  CHECK(lists_of(read_index(path)) == lists_of(index));
  write_index(path, index, IndexFormat::pisa_docs);
  CHECK(slurp(path) == words({1, 0xFFFFFFFF, 2, 7, 9, 0, 3, 0, 1, 0xFFFFFFFE}));
  CHECK(lists_of(read_index(path, IndexFormat::pisa_docs)) == lists_of(index));
  CHECK(contains(
      thrown<InvalidArgument>([&] { write_index(path, Index(Lists{{0xFFFFFFFF}}), IndexFormat::pisa_docs); }),
      "an id is 4294967295"));
  write_index(path, Index(Lists{}));
  CHECK(slurp(path).empty());
  CHECK(read_index(path).lists() == 0);
  // Lists across the reader's blocks.
  const Index large(Lists{every(0, 2, 65530), {}, {5}, every(1, 3, 200000), {8}, every(0, 1, 65536)});
  write_index(path, large);
  CHECK(lists_of(read_index(path)) == lists_of(large));
  std::string content = slurp(path);
  content[4 * (1 + 65530 + 3 + 1 + 100000)] = 0;  // somewhere in the fourth list
  spill(path, content);
  CHECK(contains(thrown<BadFile>([&] { read_index(path); }), "id 100000 of a list is 299"));

  Queries queries;
  queries.add({0, 2});
  queries.add({1});
  queries.add(std::span<const std::uint32_t>());
  write_queries(path, queries);
  CHECK(slurp(path) == "0 2\n1\n\n");
  const Queries again = read_queries(path, index);
  CHECK(again.starts == queries.starts);
  CHECK(again.lists == queries.lists);
  spill(path, "  2\t0 \r\n01 1\n0");
  const Queries odd = read_queries(path, index);
  CHECK(odd.lists == Ids{2, 0, 1, 1, 0});
  CHECK(odd.starts == std::vector<std::uint64_t>{0, 2, 4, 5});
}

TEST_CASE("what is wrong with a file is said with its byte") {
  const TemporaryDirectory directory;
  const std::string path = directory / "index";
  const auto refused = [&](const std::string& content, IndexFormat format, const std::string& part) {
    spill(path, content);
    const std::string message = thrown<BadFile>([&] { read_index(path, format); });
    CHECK_MESSAGE(contains(message, part), message);
    CHECK(message.starts_with(path + ": "));
  };
  const auto plain = IndexFormat::exp_index, docs = IndexFormat::pisa_docs;
  refused(words({2, 7, 7}), plain, "id 1 of a list is 7; it must be above 7, the one before it (at byte 8)");
  refused(words({1, 5, 3, 1, 9, 8}), plain,
          "id 2 of a list is 8; it must be above 9, the one before it (at byte 20)");
  refused(words({1, 5, 3, 1, 9}), plain, "a list has 3 ids, but only 2 words are left (at byte 8)");
  refused(words({0xFFFFFFFF, 1}), plain, "a list has 4294967295 ids, but only 1 words are left (at byte 0)");
  refused(words({1, 5}) + "x", plain,
          "ends inside a word: 9 bytes are no whole number of 4-byte words (at byte 8)");
  refused(words({2, 10, 1, 3}), docs, "starts with a list of 2 elements; a .docs file starts with");
  refused(words({1}), docs, "holds 1 words; a .docs file starts with");
  refused(words({1, 10, 2, 3, 10}), docs,
          "an id is 10; it must be below 10, the number of documents (at byte 16)");
  refused("", docs, "holds 0 words");
  CHECK(contains(thrown<BadFile>([&] { read_index(directory / "none"); }), "cannot be opened"));
  CHECK(contains(thrown<BadFile>([&] { read_index(directory / "."); }),
                 "is a directory; a file of posting lists is needed"));

  const Index index(Lists{{1}, {2}});
  const auto bad_queries = [&](const std::string& content, const std::string& part) {
    spill(path, content);
    const std::string message = thrown<BadFile>([&] { read_queries(path, index); });
    CHECK_MESSAGE(contains(message, part), message);
  };
  bad_queries("0 1\n0 2\n", "line 2 names list 2; it must be below 2, the number of lists (at byte 6)");
  bad_queries("0 x\n", "line 1 has 'x' where the number of a list is needed (at byte 2)");
  bad_queries("0 1x\n", "line 1 has 'x' where the number of a list is needed (at byte 3)");
  bad_queries("-1\n", "line 1 has '-'");
  bad_queries("1.5\n", "line 1 has '.'");
  bad_queries("\n\n1,0", "line 3 has ','");
  bad_queries(std::string("0\0001", 3), "line 1 has byte 0x00");
  bad_queries("99999999999999999999999999999", "names list 99999999999999999999; it must be below 2");
  bad_queries("4294967296", "names list 4294967296");
}

TEST_CASE("files cut off anywhere, and with any bit turned") {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  const Index index(Lists{{7, 9, 200}, {}, {0, 1, 0x7FFFFFFF}, every(3, 1000, 20), {5}});
  for (const IndexFormat format : {IndexFormat::exp_index, IndexFormat::pisa_docs}) {
    write_index(path, index, format);
    const std::string whole = slurp(path);
    const auto read = [&] {
      const Index got = read_index(path, format);
      CHECK(sound(got));
      CHECK(static_cast<std::uint64_t>(got.ids()) * 4 <= whole.size());
    };
    long refused = 0, tried = 0;
    for (std::size_t length = 0; length < whole.size(); ++length, ++tried)
      survives(path, whole.substr(0, length), refused, read);
    // Cut off between two lists it is whole, and only there.
    CHECK(refused == tried - 5);
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit, ++tried) {
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
      survives(path, damaged, refused, read);
    }
    CHECK(refused > tried / 3);
  }
  Queries queries;
  queries.add({0, 4, 2});
  queries.add({3});
  queries.add({1, 1});
  write_queries(path, queries);
  const std::string whole = slurp(path);
  const auto read = [&] {
    for (const std::uint32_t list : read_queries(path, index).lists) CHECK(list < 5);
  };
  long refused = 0;
  for (std::size_t length = 0; length < whole.size(); ++length)
    survives(path, whole.substr(0, length), refused, read);
  CHECK(refused == 0);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    survives(path, damaged, refused, read);
  }
  CHECK(refused > 20);
}

TEST_CASE("a cached file of lists comes in fast") {
  const TemporaryDirectory directory;
  const std::string path = directory / "index";
  Lists lists(100, every(17, 211, 80000));
  write_index(path, Index(lists));
  read_index(path);
  const auto start = std::chrono::steady_clock::now();
  const Index index = read_index(path);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{:.0f} MB read and checked at {:.1f} GB/s\n", static_cast<double>(index.ids()) * 4e-6,
             static_cast<double>(index.ids()) * 4e-9 / seconds);
}

TEST_SUITE_END();

}  // namespace tandem
