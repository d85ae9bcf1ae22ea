#pragma once
// Files, read and written the same way everywhere. What is read is a regular file. What is written appears whole
// or not at all: new content is written aside, brought to the disk and then renamed, so that a reader, or a run
// after a crash, finds either the old content or the new.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/export.h"

namespace tandem::file {

/// A regular file that is read from its start to its end; anything else is refused, so that nobody waits for a
/// FIFO. `wanted` says in messages what kind of file it should be ("a .npy file"). Throws BadFile with the byte
/// where reading ended.
class TANDEM_API Input {
 public:
  Input(const std::string& path, const char* wanted);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  std::uint64_t size() const { return size_; }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return size_ - offset_; }
  /// Exactly so many bytes.
  void read(void* to, std::size_t bytes);

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0, offset_ = 0;
};

/// New content for the file at `target`. Without commit() the file stays as it was, and nothing is left beside
/// it. Every member throws BadFile with the system's reason.
///
/// The new file has the mode of the old one, and its owner where the system permits that. Where `target` is a
/// symbolic link, the file that it leads to is replaced. A file with several names (hard links) keeps them:
/// commit() copies into it, which a reader can see half done. A device or a FIFO has no content to replace: it is
/// written as it is, piece by piece; a FIFO is given five seconds to find a reader.
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
  enum class Way { rename, copy, in_place };
  void copy_into_target();
  [[noreturn]] void fail(const char* what) const;

  std::string target_, path_;  // path_ is empty while the new file has no name
  Way way_ = Way::rename;
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;
};

/// New content for the folder at `target`: fill the folder at path(), then commit(). A folder that was there
/// is exchanged in one step where the file system can do so; elsewhere it is removed first. The new folder and
/// its files have the modes of the old ones.
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

/// The content of an Input.
TANDEM_API std::string read_file(const std::string& path, const char* wanted);
/// A Replacement that holds this text, committed.
TANDEM_API void write_file(const std::string& path, std::string_view text);
/// The names in a folder, in no order. Throws BadFile, OutOfMemory (where std::filesystem's iterators end the
/// program).
TANDEM_API std::vector<std::string> names_in(const std::string& folder);
/// Throws BadFile where write_file would: to be called before the work whose result is written.
TANDEM_API void require_writable(const std::string& path);

/// For main(): from now on a signal that ends the program (SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU)
/// removes first what replacements have put aside, and then ends the program as it always does. What is ignored
/// stays ignored. A file that grows beyond RLIMIT_FSIZE becomes an error of its writer instead of SIGXFSZ. May be
/// called from a signal handler.
TANDEM_API void clean_up_on_signals();

}  // namespace tandem::file
