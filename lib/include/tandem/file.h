#pragma once
// Files and folders that appear whole or not at all: new content is written aside, brought to the disk and
// then renamed, so that a reader, or a run after a crash, finds either the old content or the new.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/export.h"

namespace tandem::file {

/// New content for the file at `target`, or for the file that the link `target` leads to. Without commit()
/// the target stays as it was, and nothing is left beside it. Every member throws BadFile with the system's
/// reason.
class TANDEM_API Replacement {
 public:
  explicit Replacement(const std::string& target);
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();

  void write(const void* from, std::size_t bytes);
  /// Returns when the new content and its name are on the disk.
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string target_, path_;  // path_ is empty while the new file has no name
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;
};

/// New content for the folder at `target`: fill the folder at path(), then commit(). A folder that was there
/// is exchanged in one step where the file system can do so; elsewhere it is removed first.
class TANDEM_API FolderReplacement {
 public:
  /// `files`: the names that such a folder may hold; no others are ever removed. `kind` names it in messages
  /// ("an index"). Throws BadFile: `target` is no folder or holds another file, or no folder can be made
  /// beside it.
  FolderReplacement(const std::string& target, std::vector<std::string> files, const char* kind);
  FolderReplacement(const FolderReplacement&) = delete;
  FolderReplacement& operator=(const FolderReplacement&) = delete;
  ~FolderReplacement();

  const std::string& path() const { return path_; }
  const std::string& target() const { return target_; }
  /// Throws BadFile. Returns when the new name is on the disk; the files have to be there before
  /// (Replacement).
  void commit();

 private:
  void remove(const std::string& folder) const;

  std::string target_, path_;
  std::vector<std::string> files_;
};

/// A Replacement that holds this text, committed.
TANDEM_API void write_file(const std::string& path, std::string_view text);
/// Throws BadFile where write_file would: to be called before the work whose result is written.
TANDEM_API void require_writable(const std::string& path);

}  // namespace tandem::file
