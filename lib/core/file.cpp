#include "lib/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tandem/error.h"

namespace tandem::file {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescriptors = "/proc/self/fd";

std::string system_error() { return std::strerror(errno); }

/// Where a link leads: the link stays, and what it leads to is replaced.
std::string resolved(const std::string& target) {
  std::error_code error;
  if (!fs::is_symlink(target, error)) return target;
  const fs::path path = fs::canonical(target, error);
  if (error) throw BadFile(target, "cannot be written: it is a link that leads nowhere");
  return path.string();
}

std::string parent_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Calls make(path) with names beside `target` until one is not taken; returns the last one. make returns
/// whether it succeeded, else errno says why not.
template <class Make>
std::string new_name(const std::string& target, Make make) {
  static std::atomic<unsigned> serial = 0;
  for (;;) {
    std::string path = fmt::format("{}.{}-{}.tmp", target, getpid(), serial++);
    if (make(path.c_str()) || errno != EEXIST) return path;
  }
}

/// A new name is on the disk when its folder is. A file system that cannot sync a folder keeps the old name
/// or the new.
void sync_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

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

Replacement::Replacement(const std::string& target) : target_(resolved(target)) {
  struct stat info;
  if (stat(target_.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    throw BadFile(target, S_ISDIR(info.st_mode) ? "cannot be written: it is a directory"
                                                : "cannot be written: it is not a regular file");
  }
  // A file without a name vanishes with a process that is killed. Where the file system has none, or there is
  // no /proc to name it through, the file has a name from the start.
  if (access(kDescriptors, X_OK) == 0)
    descriptor_ = open(parent_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return;
  path_ = new_name(target_, [&](const char* path) {
    descriptor_ = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return descriptor_ >= 0;
  });
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
  if (path_.empty()) {
    // A link cannot take the place of a file that is there; a rename can.
    const std::string nameless = fmt::format("{}/{}", kDescriptors, descriptor_);
    bool linked = false;
    path_ = new_name(target_, [&](const char* path) {
      return linked = linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
    });
    if (!linked) fail("written");
  }
  if (close(std::exchange(descriptor_, -1)) != 0) fail("written");
  if (rename(path_.c_str(), target_.c_str()) != 0) fail("replaced");
  path_.clear();
  sync_folder(parent_of(target_));
}

void Replacement::fail(const char* what) const {
  throw BadFile(target_, offset_, fmt::format("cannot be {}: {}", what, system_error()));
}

FolderReplacement::FolderReplacement(const std::string& target, std::vector<std::string> files,
                                     const char* kind)
    : target_(target), files_(std::move(files)) {
  while (target_.size() > 1 && target_.ends_with('/')) target_.pop_back();
  target_ = resolved(target_);
  std::error_code error;
  if (fs::exists(target_, error)) {
    if (!fs::is_directory(target_, error)) throw BadFile(target_, "is there already, and is no folder");
    for (const auto& entry : fs::directory_iterator(target_, error)) {
      const std::string name = entry.path().filename().string();
      if (std::find(files_.begin(), files_.end(), name) == files_.end())
        throw BadFile(target_,
                      fmt::format("holds '{}', which is no file of {}; choose another folder", name, kind));
    }
  }
  if (error) throw BadFile(target_, "cannot be examined: " + error.message());
  bool made = false;
  path_ = new_name(target_, [&](const char* path) { return made = mkdir(path, 0777) == 0; });
  if (!made) throw BadFile(target_, "cannot be created: " + system_error());
}

FolderReplacement::~FolderReplacement() {
  if (!path_.empty()) remove(path_);
}

void FolderReplacement::commit() {
  sync_folder(path_);
  if (rename(path_.c_str(), target_.c_str()) == 0) {  // onto nothing, or onto an empty folder
    path_.clear();
  } else if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
    remove(target_);
    if (rename(path_.c_str(), target_.c_str()) != 0)
      throw BadFile(target_, "cannot be replaced: " + system_error());
    path_.clear();
  }
  sync_folder(parent_of(target_));  // what was exchanged is at path_ now and goes with this object
}

void FolderReplacement::remove(const std::string& folder) const {
  for (const std::string& name : files_) unlink((fs::path(folder) / name).c_str());
  rmdir(folder.c_str());
}

void write_file(const std::string& path, std::string_view text) {
  Replacement replacement(path);
  replacement.write(text.data(), text.size());
  replacement.commit();
}

void require_writable(const std::string& path) { Replacement{path}; }

}  // namespace tandem::file
