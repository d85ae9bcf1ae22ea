#include "lib/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tandem/error.h"

namespace tandem::file {
namespace {
std::string system_error() { return std::strerror(errno); }
}  // namespace

Input::Input(const std::string& path, const char* wanted)
    : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) throw BadFile(path, "cannot be opened: " + system_error());
  struct stat info;
  const bool known = fstat(descriptor_, &info) == 0;
  if (known && S_ISREG(info.st_mode)) {
    size_ = static_cast<std::uint64_t>(info.st_size);
    return;
  }
  const std::string reason =
      !known ? "cannot be examined: " + system_error()
             : fmt::format("is {}; {} is needed",
                           S_ISDIR(info.st_mode) ? "a directory" : "not a regular file", wanted);
  close(descriptor_);
  throw BadFile(path, reason);
}

Input::~Input() { close(descriptor_); }

void Input::read(void* to, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = ::read(descriptor_, static_cast<std::byte*>(to) + done, bytes - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw BadFile(path_, offset_, "cannot be read: " + system_error());
    if (got == 0) throw BadFile(path_, offset_, "became shorter while it was read");
    done += static_cast<std::size_t>(got);
    offset_ += static_cast<std::uint64_t>(got);
  }
}

Replacement::Replacement(const std::string& target) : target_(target) {
  // A link stays, and what it leads to is replaced.
  if (std::error_code error; std::filesystem::is_symlink(target, error)) {
    target_ = std::filesystem::canonical(target, error);
    if (error) throw BadFile(target, "cannot be written: it is a link that leads nowhere");
  }
  struct stat info;
  if (stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    throw BadFile(target, S_ISDIR(info.st_mode) ? "cannot be written: it is a directory"
                                                : "cannot be written: it is not a regular file");
  }
  static std::atomic<unsigned> serial = 0;
  do {
    path_ = fmt::format("{}.{}-{}.tmp", target_, getpid(), serial++);
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail("created");
}

Replacement::~Replacement() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!path_.empty()) unlink(path_.c_str());
}

void Replacement::write(const void* from, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t put = ::write(descriptor_, static_cast<const std::byte*>(from) + done, bytes - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("written");
    done += static_cast<std::size_t>(put);
    offset_ += static_cast<std::uint64_t>(put);
  }
}

void Replacement::commit() {
  if (fsync(descriptor_) != 0) fail("written");
  if (close(std::exchange(descriptor_, -1)) != 0) fail("written");
  if (rename(path_.c_str(), target_.c_str()) != 0) fail("replaced");
  path_.clear();
}

void Replacement::fail(const char* what) const {
  throw BadFile(target_, offset_, fmt::format("cannot be {}: {}", what, system_error()));
}

}  // namespace tandem::file
