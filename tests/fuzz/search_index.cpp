// Fuzz target: the index of search. An input is terms.txt, a zero byte, documents.txt, a zero byte, postings.docs.

#include <filesystem>

#include "examples/search/text_index.h"
#include "tests/fuzz/target.h"

using namespace tandem;

namespace {

namespace fs = std::filesystem;
constexpr const char* kFiles[] = {"terms.txt", "documents.txt", "postings.docs"};

/// A folder whose files are in memory.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "fuzz-index-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    for (int f = 0; f < 3; ++f) fs::create_symlink(files_[f].path(), fs::path(path_) / kFiles[f]);
  }
  ~Folder() { fs::remove_all(path_); }
  const std::string& hold(std::string_view input) {
    for (int f = 0; f < 3; ++f) {
      const std::size_t end = f < 2 ? std::min(input.find('\0'), input.size()) : input.size();
      files_[f].hold(input.substr(0, end));
      input.remove_prefix(std::min(end + 1, input.size()));
    }
    return path_;
  }

 private:
  fuzz::MemoryFile files_[3];
  std::string path_;
};

std::string seed(bool lines) {
  const Index postings(std::vector<std::vector<std::uint32_t>>{{0, 2}, {1}, {0, 1, 2}});
  const search::Terms terms{"one\nthree\ntwo\n", {0, 4, 10, 14}};
  const search::Documents documents{3, lines, "/some\nwhere", {0, 1, 2}, {"a", "b\\", "c"}};
  std::string all;
  for (const char* name : kFiles) {
    if (!all.empty()) all += '\0';
    all += fuzz::written([&](const std::string& path) {
      const std::string folder = path + ".idx";
      file::FolderReplacement replacement = search::new_index(folder);
      write(replacement, search::TextIndex{postings, terms, documents});
      replacement.commit();
      fs::copy_file(fs::path(folder) / name, path);
    });
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Folder folder;
  try {
    const search::TextIndex index = search::read(folder.hold({reinterpret_cast<const char*>(data), size}));
    fuzz::require(index.postings.lists() == index.terms.size(), "a list for each word");
    for (std::int64_t t = 0; t < index.terms.size(); ++t)
      fuzz::require(index.terms.find(index.terms[t]) == t, "every word is found");
    for (std::uint32_t d = 0; d < index.documents.count; ++d) index.documents.locate(d);
  } catch (const BadFile&) {
  }
  return 0;
}

std::vector<std::string> fuzz::seeds() { return {seed(false), seed(true)}; }
