#pragma once
// What the library's readers and writers of files stand on: Input here, Replacement in tandem/file.h. Errors
// carry the byte where they were found.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tandem/file.h"

namespace tandem::file {

/// A regular file that is read from its start to its end. Throws BadFile; `wanted` says what kind of file it
/// should be ("a .npy file").
class Input {
 public:
  Input(const std::string& path, const char* wanted);
  Input(const Input&) = delete;
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

}  // namespace tandem::file
