#include "build.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <unordered_map>

#include "command.h"
#include "common/terminal.h"
#include "words.h"

namespace search {

namespace {

namespace fs = std::filesystem;
using tandem::terminal::Progress;
using tandem::terminal::show_bytes;

struct Found {
  std::vector<std::string> paths;  // below the folder, ascending by bytes
  std::uint64_t bytes = 0;
};

/// All regular files below `root`, except those below the folders `without`.
Found walk(const fs::path& root, const std::vector<fs::path>& without, BuildReport& report,
           Progress& progress) {
  Found found;
  std::vector<fs::path> folders{root};
  while (!folders.empty()) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    std::vector<std::string> names;
    try {
      names = tandem::file::names_in(folder.string());
    } catch (const tandem::BadFile&) {
      ++report.unreadable;
    }
    for (const std::string& name : names) {
      const fs::path path = folder / name;
      std::error_code unknown;
      const fs::file_status status = fs::symlink_status(path, unknown);
      if (status.type() == fs::file_type::directory) {
        if (std::find(without.begin(), without.end(), path) == without.end()) folders.push_back(path);
      } else if (status.type() == fs::file_type::regular) {
        found.paths.push_back(path.lexically_relative(root).string());
        if (const auto size = fs::file_size(path, unknown); !unknown) found.bytes += size;
        if (found.paths.size() % 1000 == 0) progress.show(fmt::format("{} files found", found.paths.size()));
      } else {
        ++(unknown ? report.unreadable : report.other);
      }
    }
  }
  std::sort(found.paths.begin(), found.paths.end());
  return found;
}

/// The words of each document, in the order of the documents; inverted at the end.
class ForwardIndex {
 public:
  void add_word(std::string_view word) {
    auto at = numbers_.find(word);
    if (at == numbers_.end()) {
      if (seen_.size() == kEnd)
        throw tandem::InvalidArgument("search: 4294967295 different words; there can be no more");
      at = numbers_.emplace(word, static_cast<std::uint32_t>(seen_.size())).first;
      seen_.push_back(0);
    }
    if (seen_[at->second] == visit_) return;
    seen_[at->second] = visit_;
    stream_.push_back(at->second);
  }
  void end_document() {
    if (documents_ == UINT32_MAX)
      throw tandem::InvalidArgument("search: 4294967295 documents; there can be no more");
    stream_.push_back(kEnd);
    ++documents_;
    ++visit_;
  }
  std::uint32_t documents() const { return documents_; }

  struct Mark {
    std::size_t words;
    std::uint32_t documents;
  };
  Mark mark() const { return {stream_.size(), documents_}; }
  /// Forgets all documents since the mark.
  void go_back(const Mark& mark) {
    stream_.resize(mark.words);
    documents_ = mark.documents;
    ++visit_;
  }

  /// Posting lists in the order of the words, without the words of forgotten documents.
  void invert(Terms& terms, std::optional<tandem::Index>& postings) const {
    std::vector<std::uint64_t> count(seen_.size(), 0);
    for (const std::uint32_t word : stream_) {
      if (word != kEnd) ++count[word];
    }
    std::vector<std::pair<std::string_view, std::uint32_t>> words;
    for (const auto& [word, number] : numbers_) {
      if (count[number] > 0) words.emplace_back(word, number);
    }
    std::sort(words.begin(), words.end());
    terms.starts = {0};
    tandem::IndexBuilder lists(stream_.size() - documents_);
    std::vector<std::uint32_t*> next(seen_.size(), nullptr);
    for (const auto& [word, number] : words) {
      terms.text.append(word).push_back('\n');
      terms.starts.push_back(terms.text.size());
      next[number] = lists.append(count[number]);
      lists.end_list();
    }
    std::uint32_t document = 0;
    for (const std::uint32_t word : stream_) {
      if (word == kEnd)
        ++document;
      else
        *next[word]++ = document;
    }
    postings = lists.finish();
  }

 private:
  static constexpr std::uint32_t kEnd = UINT32_MAX;  // of a document
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>{}(word); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<std::uint64_t> seen_;   // per word: the last visit that met it
  std::uint64_t visit_ = 1;           // its own number for every document, forgotten ones included
  std::deque<std::uint32_t> stream_;  // words and kEnd; a deque grows without copies
  std::uint32_t documents_ = 0;
};

enum class Content { text, binary, unreadable };

/// Feeds a file to the cutter, block by block.
Content cut(const fs::path& path, WordCutter& cutter, std::uint64_t& bytes) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return Content::unreadable;
  const struct Closer {
    int file;
    ~Closer() { close(file); }
  } closer{file};
  static char block[1 << 18];
  for (;;) {
    const ssize_t got = ::read(file, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Content::unreadable;
    if (got == 0) return cutter.finish() ? Content::text : Content::binary;
    if (!cutter.take({block, static_cast<std::size_t>(got)})) return Content::binary;
    bytes += static_cast<std::uint64_t>(got);
  }
}

}  // namespace

TextIndex build(const BuildOptions& options, const tandem::file::FolderReplacement& target,
                BuildReport& report) {
  std::error_code error;
  const fs::path root = fs::canonical(options.folder, error);
  if (error) throw tandem::BadFile(options.folder, "cannot be opened: " + error.message());
  if (!fs::is_directory(root, error))
    throw tandem::BadFile(options.folder, "is no folder; a folder of text is needed");
  Progress progress;
  const Found found = walk(root, {fs::weakly_canonical(target.target()), fs::weakly_canonical(target.path())},
                           report, progress);

  ForwardIndex forward;
  Documents documents;
  documents.lines = options.lines;
  documents.root = root.string();
  const Clock clock;
  for (std::size_t f = 0; f < found.paths.size(); ++f) {
    const ForwardIndex::Mark mark = forward.mark();
    WordCutter cutter([&](std::string_view word) { forward.add_word(word); },
                      [&] {
                        if (options.lines) forward.end_document();
                      });
    std::uint64_t bytes = 0;
    const Content content = cut(root / found.paths[f], cutter, bytes);
    if (content != Content::text) {
      ++(content == Content::binary ? report.binary : report.unreadable);
      forward.go_back(mark);
      continue;
    }
    if (!options.lines) forward.end_document();
    documents.first.push_back(mark.documents);
    documents.paths.push_back(found.paths[f]);
    ++report.files;
    report.bytes += bytes;
    if (f % 64 == 0)
      progress.show(fmt::format("{} of {} files, {} of {}, {:.0f} s", f, found.paths.size(),
                                show_bytes(static_cast<double>(report.bytes)),
                                show_bytes(static_cast<double>(found.bytes)), clock.seconds()));
  }
  if (report.files == 0)
    throw tandem::BadFile(options.folder, fmt::format("holds no text: {} files are binary, {} cannot be read",
                                                      report.binary, report.unreadable));
  documents.count = forward.documents();
  progress.show("inverting the index");
  Terms terms;
  std::optional<tandem::Index> postings;
  forward.invert(terms, postings);
  return {*postings, std::move(terms), std::move(documents)};
}

}  // namespace search
