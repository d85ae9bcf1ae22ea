#pragma once
// A file that appears whole or not at all: written beside its place, brought to the disk, then renamed.

#include <cstddef>
#include <string>

namespace channel {

class AtomicFile {
 public:
  /// Writes to `path`.tmp; what a killed run left there is overwritten. Throws tandem::BadFile.
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  ~AtomicFile();  // without commit() nothing is left behind

  void write(const void* data, std::size_t bytes);
  /// Puts it in the place of what is at `path`.
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;
  std::string path_, temporary_;
  int descriptor_;
};

}  // namespace channel
