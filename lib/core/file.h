#pragma once
// Reading and writing whole files: what is wrong is said with the byte where it was found, and a file that is being
// written shows only when it is complete.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tandem/export.h"

namespace tandem::file {

/// A regular file that is read from its start to its end. Throws BadFile; `wanted` says what kind of file it should be
/// ("a .npy file").
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

/// A file beside `target`, or beside what `target` links to, that takes its place with commit(), when it is complete, and
/// otherwise vanishes.
class TANDEM_API Replacement {
 public:
  explicit Replacement(const std::string& target);
  Replacement(const Replacement&) = delete;
  ~Replacement();

  void write(const void* from, std::size_t bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string target_, path_;
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;
};

}  // namespace tandem::file
