#include "text_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace search {
namespace {

namespace fs = std::filesystem;
using tandem::BadFile;

constexpr const char* kPostings = "postings.docs";
constexpr const char* kTerms = "terms.txt";
constexpr const char* kDocuments = "documents.txt";
constexpr std::string_view kMagic = "tandem-search 1 ";

std::string in(const std::string& folder, const char* name) { return (fs::path(folder) / name).string(); }

std::string head_line(const char* kind, std::uint64_t count, std::uint64_t fingerprint) {
  return fmt::format("{}{} {} {:016x}", kMagic, kind, count, fingerprint);
}

/// A text file, read line by line; errors carry the byte where a line starts.
class Lines {
 public:
  Lines(std::string path, const char* kind)
      : path_(std::move(path)), kind_(kind), text_(tandem::file::read_file(path_, "a file of an index")) {}

  void require_end() const {
    if (at_ < text_.size()) throw BadFile(path_, at_, "the file goes on where it should end");
  }
  std::uint64_t offset() const { return at_; }
  std::string_view rest() const { return std::string_view(text_).substr(at_); }
  [[noreturn]] void fail(const std::string& found) const { throw BadFile(path_, start_, found); }

  /// The next line, without its end; `what` is missing where there is none.
  std::string_view next(const std::string& what) {
    start_ = at_;
    const std::size_t end = text_.find('\n', at_);
    if (end == text_.npos) {
      start_ = text_.size();
      fail(fmt::format("the file ends where {} should end: it is cut short", what));
    }
    return std::string_view(text_).substr(std::exchange(at_, end + 1), end - start_);
  }

  struct Head {
    std::uint64_t count, fingerprint;
  };
  /// Reads the first line, which must be exactly as write() makes it.
  Head head() {
    const std::string form = fmt::format("{}{} COUNT FINGERPRINT", kMagic, kind_);
    const std::string_view line = next(fmt::format("the first line, '{}',", form));
    Head head{0, 0};
    const char* const end = line.data() + line.size();
    const char* at = line.data() + std::min(line.size(), kMagic.size() + std::strlen(kind_) + 1);
    at = std::from_chars(at, end, head.count).ptr;
    if (at < end) std::from_chars(at + 1, end, head.fingerprint, 16);
    if (line != head_line(kind_, head.count, head.fingerprint))
      fail(fmt::format("this is no such file; it must start with '{}'", form));
    return head;
  }

 private:
  std::string path_;
  const char* kind_;
  std::string text_;
  std::uint64_t at_ = 0, start_ = 0;  // the next line, the one that was read last
};

std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == '\n')
      text += "\\n";
    else
      text.append(c == '\\' ? 2 : 1, c);
  }
  return text;
}
std::string unescaped(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && i + 1 < text.size();
    path += !escape ? text[i] : text[++i] == 'n' ? '\n' : text[i];
  }
  return path;
}

std::string body(const Documents& documents) {
  std::string text = fmt::format("{} {} {}\n", documents.lines ? "lines" : "files", documents.paths.size(),
                                 escaped(documents.root));
  for (std::size_t f = 0; f < documents.paths.size(); ++f)
    text += fmt::format("{} {}\n", documents.first[f], escaped(documents.paths[f]));
  return text;
}

std::uint64_t fingerprint(const TextIndex& index, std::string_view documents) {
  Fingerprint all;
  for (std::int64_t list = 0; list < index.postings.lists(); ++list) all.add(index.postings[list]);
  all.add(index.terms.text);
  all.add(std::uint64_t{index.documents.count});
  all.add(documents);
  return all.value();
}

Terms read_terms(Lines& file, std::uint64_t count) {
  Terms terms;
  terms.starts = {0};
  terms.text = file.rest();
  const std::uint64_t begin = file.offset();
  std::string_view last;
  for (std::uint64_t t = 0; t < count; ++t) {
    const std::string_view word = file.next(fmt::format("word {} of {}", t + 1, count));
    if (word <= last) file.fail(fmt::format("word {} does not come behind the one before it", t + 1));
    terms.starts.push_back(file.offset() - begin);
    last = word;
  }
  return terms;
}

/// Parses "NUMBER REST" and returns REST; `what` is what the message asks for.
std::string_view number_and(std::string_view line, std::uint32_t& number, const Lines& file,
                            const char* what) {
  const char* const line_end = line.data() + line.size();
  const auto [end, error] = std::from_chars(line.data(), line_end, number);
  if (error != std::errc() || line_end - end < 2 || *end != ' ') file.fail(fmt::format("{} is needed", what));
  return {end + 1, line_end};
}

Documents read_documents(Lines& file, std::uint64_t count) {
  Documents documents;
  if (count > UINT32_MAX) file.fail(fmt::format("{} documents; there can be 4294967295", count));
  documents.count = static_cast<std::uint32_t>(count);
  constexpr const char* kForm = "'files COUNT FOLDER' or 'lines COUNT FOLDER'";
  const std::string_view head = file.next(kForm);
  documents.lines = head.starts_with("lines ");
  if (!documents.lines && !head.starts_with("files ")) file.fail(fmt::format("{} is needed", kForm));
  std::uint32_t files = 0;
  documents.root = unescaped(number_and(head.substr(6), files, file, kForm));
  for (std::uint32_t f = 0; f < files; ++f) {
    std::uint32_t first = 0;
    const std::string_view line = file.next(fmt::format("file {} of {}", f + 1, files));
    documents.paths.push_back(
        unescaped(number_and(line, first, file, "the number of a document and a path")));
    if (f == 0 ? first != 0 : first < documents.first.back() || first > count)
      file.fail(fmt::format("the first document of a file is {}; they go up from 0 to {}", first, count));
    documents.first.push_back(first);
  }
  if (count > 0 && files == 0) file.fail(fmt::format("{} documents, but no file", count));
  return documents;
}

/// The number of documents that postings.docs starts with must be the smallest that its ids allow, as write()
/// makes it: the fingerprint covers the lists alone, and a larger number would go with them as well.
void require_smallest_number(const std::string& path, const tandem::Index& postings) {
  std::uint32_t stated[2] = {}, largest = 0;
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(stated), sizeof stated);
  const std::span ids(postings.data(), static_cast<std::size_t>(postings.ids()));
  if (!ids.empty()) largest = *std::max_element(ids.begin(), ids.end()) + 1;
  if (stated[1] != largest) {
    throw BadFile(
        path, sizeof stated[0],
        fmt::format("names {} documents; its lists have ids below {}: it was changed", stated[1], largest));
  }
}

}  // namespace

void Fingerprint::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
}
void Fingerprint::add(std::span<const std::uint32_t> ids) {
  add(std::uint64_t{ids.size()});
  for (const std::uint32_t id : ids) add(std::uint64_t{id});
}

std::string_view Terms::operator[](std::int64_t term) const {
  const auto t = static_cast<std::size_t>(term);
  return std::string_view(text).substr(starts[t], starts[t + 1] - starts[t] - 1);
}

std::optional<std::uint32_t> Terms::find(std::string_view word) const {
  std::int64_t low = 0, high = size();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if ((*this)[middle] < word)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == size() || (*this)[low] != word) return {};
  return static_cast<std::uint32_t>(low);
}

Documents::Location Documents::locate(std::uint32_t document) const {
  const auto file =
      static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), document) - first.begin()) - 1;
  return {(fs::path(root) / paths[file]).string(), lines ? document - first[file] + 1 : 0};
}

tandem::file::FolderReplacement new_index(const std::string& target) {
  return {target, {kPostings, kTerms, kDocuments}, "an index"};
}

void write(const tandem::file::FolderReplacement& folder, const TextIndex& index) {
  const std::string documents = body(index.documents);
  const std::uint64_t all = fingerprint(index, documents);
  const auto head = [&](const char* kind, auto count) {
    return head_line(kind, static_cast<std::uint64_t>(count), all) + "\n";
  };
  tandem::write_index(in(folder.path(), kPostings), index.postings, tandem::IndexFormat::pisa_docs);
  tandem::file::write_file(in(folder.path(), kTerms), head("terms", index.terms.size()) + index.terms.text);
  tandem::file::write_file(in(folder.path(), kDocuments),
                           head("documents", index.documents.count) + documents);
}

TextIndex read(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw BadFile(folder, "there is no such index; to make one: search index DIR --out " + folder);
  Lines terms_file(in(folder, kTerms), "terms"), documents_file(in(folder, kDocuments), "documents");
  const Lines::Head terms_head = terms_file.head(), documents_head = documents_file.head();
  const std::string documents_text(documents_file.rest());
  Terms terms = read_terms(terms_file, terms_head.count);
  Documents documents = read_documents(documents_file, documents_head.count);
  terms_file.require_end();
  documents_file.require_end();
  TextIndex index{tandem::read_index(in(folder, kPostings), tandem::IndexFormat::pisa_docs), std::move(terms),
                  std::move(documents)};
  if (index.postings.lists() != index.terms.size()) {
    const std::string path = in(folder, kPostings);
    throw BadFile(
        path, fs::file_size(path),
        fmt::format("the file ends after {} lists; terms.txt names {} words: it is cut short, or they are of "
                    "different indexes",
                    index.postings.lists(), index.terms.size()));
  }
  require_smallest_number(in(folder, kPostings), index.postings);
  const std::uint64_t all = fingerprint(index, documents_text);
  if (all != terms_head.fingerprint || all != documents_head.fingerprint)
    throw BadFile(folder,
                  "its files are of different indexes, or were changed; make it again with search index");
  for (std::int64_t list = 0; list < index.postings.lists(); ++list) {
    const auto ids = index.postings[list];
    if (!ids.empty() && ids.back() >= index.documents.count)
      throw BadFile(folder,
                    fmt::format("postings.docs names document {} of {}", ids.back(), index.documents.count));
  }
  return index;
}

}  // namespace search
