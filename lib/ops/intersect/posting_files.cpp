#include "tandem/posting_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "lib/ops/intersect/index_memory.h"
#include "tandem/error.h"
#include "tandem/file.h"

namespace tandem {
namespace {

static_assert(std::endian::native == std::endian::little, "words are copied as they lie in the file");

constexpr std::uint64_t kWord = sizeof(std::uint32_t);
constexpr std::uint64_t kBlockWords = 1 << 16;  // read at a time: stays in the cache until it is looked at

/// The words of a file, a block at a time.
class Words {
 public:
  explicit Words(const std::string& path)
      : file_(path, "a file of posting lists"), left_(file_.size() / kWord), block_(kBlockWords) {
    if (file_.size() % kWord != 0) {
      throw BadFile(
          path, file_.size() / kWord * kWord,
          fmt::format("ends inside a word: {} bytes are no whole number of 4-byte words", file_.size()));
    }
  }
  std::uint64_t left() const { return left_; }
  /// Where the next word is in the file.
  std::uint64_t offset() const { return file_.size() - left_ * kWord; }
  /// Up to `most` of the next words, at least one where there is one.
  std::span<const std::uint32_t> take(std::uint64_t most) {
    if (at_ == end_) {
      at_ = 0;
      end_ = std::min(kBlockWords, left_);
      file_.read(block_.data(), end_ * kWord);
    }
    const std::uint64_t count = std::min(most, end_ - at_);
    const std::span words(block_.data() + at_, count);
    at_ += count;
    left_ -= count;
    return words;
  }

 private:
  file::Input file_;
  std::uint64_t left_, at_ = 0, end_ = 0;
  std::vector<std::uint32_t> block_;
};

/// Gathers small pieces before they are written.
class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) {}
  void write(const void* from, std::size_t bytes) {
    constexpr std::size_t kAtOnce = 1 << 18;
    if (bytes >= kAtOnce) {
      flush();
      return file_.write(from, bytes);
    }
    buffer_.append(static_cast<const char*>(from), bytes);
    if (buffer_.size() >= kAtOnce) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  void flush() {
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }
  file::Replacement file_;
  std::string buffer_;
};

Index read(const std::string& path, IndexFormat format) {
  Words words(path);
  std::uint64_t documents = std::uint64_t{1} << 32;
  if (format == IndexFormat::pisa_docs) {
    const auto wrong = [&](std::uint64_t offset, const std::string& found) {
      return BadFile(path, offset,
                     found + "; a .docs file starts with a list of one element, the number of documents");
    };
    if (words.left() < 2) throw wrong(0, fmt::format("holds {} words", words.left()));
    if (const std::uint32_t length = words.take(1)[0]; length != 1)
      throw wrong(0, fmt::format("starts with a list of {} elements", length));
    documents = words.take(1)[0];
  }
  IndexBuilder builder(words.left());
  while (words.left() > 0) {
    const std::uint64_t length_at = words.offset(), length = words.take(1)[0];
    if (length > words.left()) {
      throw BadFile(path, length_at,
                    fmt::format("a list has {} ids, but only {} words are left", length, words.left()));
    }
    std::uint64_t last = 0;  // of the ids so far
    for (std::uint64_t done = 0; done < length;) {
      const std::uint64_t offset = words.offset();
      const auto ids = words.take(length - done);
      const bool joins = done == 0 || ids[0] > last;
      if (const std::uint64_t bad = joins ? first_not_ascending(ids.data(), ids.size()) : 0;
          bad < ids.size()) {
        throw BadFile(path, offset + bad * kWord,
                      fmt::format("id {} of a list is {}; it must be above {}, the one before it", done + bad,
                                  ids[bad], bad == 0 ? last : ids[bad - 1]));
      }
      last = ids.back();
      if (last >= documents) {
        const auto bad = std::lower_bound(ids.begin(), ids.end(), documents) - ids.begin();
        throw BadFile(path, offset + static_cast<std::uint64_t>(bad) * kWord,
                      fmt::format("an id is {}; it must be below {}, the number of documents",
                                  ids[static_cast<std::size_t>(bad)], documents));
      }
      std::memcpy(builder.append(ids.size()), ids.data(), ids.size_bytes());
      done += ids.size();
    }
    builder.end_list();
  }
  return builder.finish();
}

void write(const std::string& path, const Index& index, IndexFormat format) {
  const std::span all(index.data(), static_cast<std::size_t>(index.ids()));
  const std::uint32_t largest = all.empty() ? 0 : *std::max_element(all.begin(), all.end());
  if (format == IndexFormat::pisa_docs && largest == UINT32_MAX) {
    throw InvalidArgument(
        "write_index: an id is 4294967295; a .docs file holds the number of documents in 32 bits, so ids are "
        "below that");
  }
  Writer file(path);
  if (format == IndexFormat::pisa_docs) {
    const std::uint32_t head[] = {1, all.empty() ? 0 : largest + 1};
    file.write(head, sizeof head);
  }
  for (std::int64_t l = 0; l < index.lists(); ++l) {
    const auto ids = index[l];
    if (ids.size() > UINT32_MAX) {
      throw InvalidArgument(
          fmt::format("write_index: list {} has {} ids; the file holds lengths in 32 bits", l, ids.size()));
    }
    const auto length = static_cast<std::uint32_t>(ids.size());
    file.write(&length, sizeof length);
    file.write(ids.data(), ids.size_bytes());
  }
  file.commit();
}

Queries read(const std::string& path, const Index& index) {
  const std::string text = file::read_file(path, "a file of queries");
  Queries queries;
  std::vector<std::uint32_t> query;
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  for (std::size_t at = 0; at < text.size();) {
    query.clear();
    for (; at < text.size() && text[at] != '\n';) {
      if (blank(text[at])) {
        ++at;
        continue;
      }
      const std::size_t start = at;
      std::uint64_t number = 0;
      for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        number = std::min<std::uint64_t>(10 * number + static_cast<std::uint64_t>(text[at] - '0'),
                                         UINT32_MAX + 1ull);
      if (at == start || (at < text.size() && !blank(text[at]) && text[at] != '\n')) {
        const auto c = static_cast<unsigned char>(text[at]);
        throw BadFile(path, at,
                      fmt::format("line {} has {} where the number of a list is needed", queries.size() + 1,
                                  c >= ' ' && c < 127 ? fmt::format("'{}'", text[at])
                                                      : fmt::format("byte 0x{:02x}", c)));
      }
      if (number >= static_cast<std::uint64_t>(index.lists())) {
        if (index.lists() == 0)
          throw BadFile(path, start,
                        fmt::format("line {} names a list, but the index has none", queries.size() + 1));
        throw BadFile(
            path, start,
            fmt::format("line {} names list {}; it must be below {}, the number of lists", queries.size() + 1,
                        text.substr(start, std::min<std::size_t>(at - start, 20)), index.lists()));
      }
      query.push_back(static_cast<std::uint32_t>(number));
    }
    queries.add(query);
    ++at;  // the end of the line
  }
  return queries;
}

void write(const std::string& path, const Queries& queries) {
  Writer file(path);
  for (std::int64_t q = 0; q < queries.size(); ++q) {
    const std::string line = fmt::format("{}\n", fmt::join(queries[q], " "));
    file.write(line.data(), line.size());
  }
  file.commit();
}

}  // namespace

Index read_index(const std::string& path, IndexFormat format) {
  return detail::translated([&] { return read(path, format); });
}
void write_index(const std::string& path, const Index& index, IndexFormat format) {
  detail::translated([&] { write(path, index, format); });
}
Queries read_queries(const std::string& path, const Index& index) {
  return detail::translated([&] { return read(path, index); });
}
void write_queries(const std::string& path, const Queries& queries) {
  detail::translated([&] { write(path, queries); });
}

}  // namespace tandem
