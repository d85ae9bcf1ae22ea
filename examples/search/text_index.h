#pragma once
// An index of text: a folder of three files, which belong together.
//
// postings.docs   ds2i's layout (see tandem::read_index): list t holds the documents with word t, ascending.
// terms.txt       the words, one per line, ascending by bytes: that of line t + 2 is word t.
// documents.txt   where the documents are, see Documents.
//
// The first lines of the two text files are
//     tandem-search 1 terms COUNT FINGERPRINT
//     tandem-search 1 documents COUNT FINGERPRINT
// with the same FINGERPRINT, 16 hexadecimal digits: a hash over the rest of both files and all posting lists.

#include <tandem/file.h>
#include <tandem/tandem.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace search {

/// FNV-1a hash over 64-bit numbers instead of bytes.
class Fingerprint {
 public:
  void add(std::uint64_t number) { value_ = (value_ ^ number) * 0x100000001b3; }
  void add(std::string_view text);
  void add(std::span<const std::uint32_t> ids);  // their number, then each
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// The words, ascending by bytes, each followed by a line end.
struct Terms {
  std::string text;
  std::vector<std::uint64_t> starts;  // offset of each word, and the end of the last

  std::int64_t size() const { return static_cast<std::int64_t>(starts.size()) - 1; }
  std::string_view operator[](std::int64_t term) const;
  /// O(log words).
  std::optional<std::uint32_t> find(std::string_view word) const;
};

/// Documents are files below a folder, or the lines of those files, numbered consecutively. The second line
/// of documents.txt is `files COUNT FOLDER` or `lines COUNT FOLDER`; then comes a line for each of so many
/// files: the number of its first document, a blank, and its path below the folder. In paths \n stands for a
/// line end and \\ for a backslash.
struct Documents {
  std::uint32_t count = 0;
  bool lines = false;
  std::string root;                  // absolute
  std::vector<std::uint32_t> first;  // the first document of each file, ascending
  std::vector<std::string> paths;    // below root

  struct Location {
    std::string path;    // with root
    std::uint32_t line;  // from 1; 0: the whole file
  };
  /// O(log files).
  Location locate(std::uint32_t document) const;
};

struct TextIndex {
  tandem::Index postings;
  Terms terms;
  Documents documents;
};

/// A new folder for an index, which may replace an index. Throws tandem::BadFile: `target` holds a file that
/// is none of an index, or no folder can be made there.
tandem::file::FolderReplacement new_index(const std::string& target);

/// Writes the three files. Throws tandem::BadFile with the system's reason.
void write(const tandem::file::FolderReplacement& folder, const TextIndex& index);

/// Reads the three files and checks that they belong together. Throws tandem::BadFile with the byte where one
/// of them ends early or is no such file. Memory: about the size of the files.
TextIndex read(const std::string& folder);

}  // namespace search
