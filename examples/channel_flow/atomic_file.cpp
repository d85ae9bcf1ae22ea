#include "atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <tandem/tandem.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace channel {

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  // A link stays, and what it leads to is replaced.
  if (std::error_code error; std::filesystem::is_symlink(path, error))
    path_ = std::filesystem::weakly_canonical(path).string();
  temporary_ = path_ + ".tmp";
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("created");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t put = ::write(descriptor_, static_cast<const std::byte*>(data) + done, bytes - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("written");
    done += static_cast<std::size_t>(put);
  }
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0) fail("written");
  if (close(std::exchange(descriptor_, -1)) != 0) fail("written");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("replaced");
  temporary_.clear();
  // The new name is on the disk when its directory is. A file system that cannot do so loses no data.
  const std::filesystem::path parent = std::filesystem::path(path_).parent_path();
  if (const int directory = open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      directory >= 0) {
    fsync(directory);
    close(directory);
  }
}

void AtomicFile::fail(const char* what) const {
  throw tandem::BadFile(path_, fmt::format("cannot be {}: {}", what, std::strerror(errno)));
}

}  // namespace channel
