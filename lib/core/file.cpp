#include "tandem/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "tandem/error.h"

namespace tandem::file {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kDescriptors = "/proc/self/fd";
constexpr auto kPatience = 5s;  // with a FIFO that nobody reads

std::string system_error() { return std::strerror(errno); }

// --- signals that end the program ---

constexpr int kEndings[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU};

sigset_t endings() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kEndings) sigaddset(&set, number);
  return set;
}

std::atomic_flag busy;

void wait_for_turn() {
  while (busy.test_and_set(std::memory_order_acquire)) poll(nullptr, 0, 1);
}

/// One thread at a time, and no signal ends the program within: names that come and go on the disk agree with
/// what is noted of them.
class Section {
 public:
  Section() {
    const sigset_t set = endings();
    pthread_sigmask(SIG_BLOCK, &set, &before_);
    wait_for_turn();
  }
  Section(const Section&) = delete;
  ~Section() {
    busy.clear(std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
};

/// What is on the disk under a name that shall not stay, in the order of its making. Touched in a Section only.
std::vector<std::string>& unfinished() {
  static auto& paths = *new std::vector<std::string>;  // a signal may come after the end of main()
  return paths;
}

/// With everything in it.
void forget(const std::string& path) {
  std::erase_if(unfinished(), [&](const std::string& p) {  // called by destructors: allocates nothing
    return p.starts_with(path) && (p.size() == path.size() || p[path.size()] == '/');
  });
}

void remove_unfinished_and_end(int number) {
  const int error = errno;
  wait_for_turn();  // for good: nothing new comes on the disk
  const auto& paths = unfinished();
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
    if (unlink(path->c_str()) != 0) rmdir(path->c_str());
  }
  errno = error;
  sigset_t this_one;
  sigemptyset(&this_one);
  sigaddset(&this_one, number);
  raise(number);  // as if there were no handler (SA_RESETHAND)
  // Not on return: ThreadSanitizer calls handlers late, even from within a Section.
  pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);
}

// --- names, modes ---

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

/// Calls make(path) with names beside `target` that nobody can guess until one is not taken; the last one is
/// noted as unfinished and returned. make returns whether it succeeded, else errno says why not, and the result
/// is empty. In a Section.
template <class Make>
std::string new_name(const std::string& target, Make make) {
  for (;;) {
    std::uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) < 0) return {};
    std::string path =  // moved out: nothing can fail once the file is there
        (fs::path(parent_of(target)) / fmt::format("tandem-{:016x}.tmp", random)).string();
    unfinished().push_back(path);
    if (make(path.c_str())) return path;
    unfinished().pop_back();
    if (errno != EEXIST) return {};
  }
}

/// Gives an open file the owner and the mode of an old one. Where the owner cannot be given, its group may do no
/// more than anybody.
void keep_mode(int descriptor, const struct stat& old) {
  mode_t mode = old.st_mode & 07777;
  if (fchown(descriptor, old.st_uid, old.st_gid) != 0) mode = (mode & 0707) | (mode & 07) << 3;
  fchmod(descriptor, mode);
}
void keep_mode(const std::string& path, const std::string& old) {
  struct stat info;
  if (stat(old.c_str(), &info) != 0) return;
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;
  keep_mode(descriptor, info);
  close(descriptor);
}

/// A new name is on the disk when its folder is. A file system that cannot sync a folder keeps the old name
/// or the new.
void sync_folder(const std::string& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  fsync(folder);
  close(folder);
}

/// Something that is neither a regular file nor a folder: written in place.
bool special(const struct stat& info) { return !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode); }

/// -1: errno says why. A FIFO may have to wait for its reader.
int open_special(const std::string& path, const struct stat& info) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor >= 0) {
      fcntl(descriptor, F_SETFL, O_WRONLY);  // from here on a writer waits for a slow reader
      return descriptor;
    }
    if (errno != ENXIO || !S_ISFIFO(info.st_mode) || std::chrono::steady_clock::now() > end) return -1;
    poll(nullptr, 0, 10);
  }
}

}  // namespace

Input::Input(const std::string& path, const char* wanted) try
    : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (descriptor_ < 0) throw BadFile(path, "cannot be opened: " + system_error());
  struct stat info;
  const bool known = fstat(descriptor_, &info) == 0;
  if (known && S_ISREG(info.st_mode)) {
    size_ = static_cast<std::uint64_t>(info.st_size);
    return;
  }
  const int error = errno;
  close(descriptor_);  // before anything is allocated
  throw BadFile(path,
                !known ? std::string("cannot be examined: ") + std::strerror(error)
                       : fmt::format("is {}; {} is needed",
                                     S_ISDIR(info.st_mode) ? "a directory" : "not a regular file", wanted));
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

Input::~Input() { close(descriptor_); }

void Input::read(void* to, std::size_t bytes) try {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = ::read(descriptor_, static_cast<std::byte*>(to) + done, bytes - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw BadFile(path_, offset_, "cannot be read: " + system_error());
    if (got == 0) throw BadFile(path_, offset_, "became shorter while it was read");
    done += static_cast<std::size_t>(got);
    offset_ += static_cast<std::uint64_t>(got);
  }
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

Replacement::Replacement(const std::string& target) try : target_(target) {
  struct stat old;
  const bool there = stat(target.c_str(), &old) == 0;
  if (!there && errno != ENOENT) fail("created");
  if (there && special(old)) {
    way_ = Way::in_place;
    descriptor_ = open_special(target, old);
    if (descriptor_ < 0 && errno == ENXIO && S_ISFIFO(old.st_mode))
      throw BadFile(target, "cannot be written: it is a FIFO that nobody reads; start its reader first");
    if (descriptor_ < 0) fail("opened");
    return;
  }
  if (there && S_ISDIR(old.st_mode)) throw BadFile(target, "cannot be written: it is a directory");
  if (there && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) fail("written");
  target_ = resolved(target);
  const mode_t mode = there ? 0600 : 0666;
  // A file without a name vanishes with a process that is killed. Where the file system has none, or there is
  // no /proc to name it through, the file has a name from the start.
  if (access(kDescriptors, X_OK) == 0)
    descriptor_ = open(parent_of(target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  if (descriptor_ < 0) {
    const Section section;
    path_ = new_name(target_, [&](const char* path) {
      descriptor_ = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      return descriptor_ >= 0;
    });
  }
  if (descriptor_ < 0) fail("created");
  if (there && old.st_nlink > 1)
    way_ = Way::copy;
  else if (there)
    keep_mode(descriptor_, old);
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

Replacement::~Replacement() {
  if (descriptor_ >= 0) close(descriptor_);
  if (path_.empty()) return;
  const Section section;
  unlink(path_.c_str());
  forget(path_);
}

void Replacement::write(const void* from, std::size_t bytes) try {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t put = ::write(descriptor_, static_cast<const std::byte*>(from) + done, bytes - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("written");
    done += static_cast<std::size_t>(put);
    offset_ += static_cast<std::uint64_t>(put);
  }
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

void Replacement::commit() try {
  // What is no file (a terminal, a pipe) has nothing to bring to a disk.
  if (fsync(descriptor_) != 0 && !(way_ == Way::in_place && (errno == EINVAL || errno == EROFS)))
    fail("written");
  if (way_ == Way::copy) return copy_into_target();
  if (way_ == Way::in_place) {
    if (close(std::exchange(descriptor_, -1)) != 0) fail("written");
    return;
  }
  {
    const Section section;
    if (path_.empty()) {
      // A link cannot take the place of a file that is there; a rename can.
      const std::string nameless = fmt::format("{}/{}", kDescriptors, descriptor_);
      path_ = new_name(target_, [&](const char* path) {
        return linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
      });
      if (path_.empty()) fail("written");
    }
    if (close(std::exchange(descriptor_, -1)) != 0) fail("written");
    if (rename(path_.c_str(), target_.c_str()) != 0) fail("replaced");
    forget(path_);
    path_.clear();
  }
  sync_folder(parent_of(target_));
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

/// A signal waits until all is copied, and room is made first: a full disk leaves the target as it was.
void Replacement::copy_into_target() {
  const Section section;
  struct Descriptor {
    int number;
    ~Descriptor() { close(number); }
  } const target{open(target_.c_str(), O_WRONLY | O_CLOEXEC)};
  if (target.number < 0) fail("written");
  const auto bytes = static_cast<off_t>(offset_);
  if (bytes > 0 && fallocate(target.number, FALLOC_FL_KEEP_SIZE, 0, bytes) != 0 && errno != EOPNOTSUPP)
    fail("written");
  std::vector<char> block(1 << 20);
  for (off_t done = 0; done < bytes;) {
    const ssize_t got = pread(descriptor_, block.data(), block.size(), done);
    if (got <= 0) fail("written");
    for (ssize_t at = 0; at < got;) {
      const ssize_t put =
          pwrite(target.number, block.data() + at, static_cast<std::size_t>(got - at), done + at);
      if (put < 0) fail("written");
      at += put;
    }
    done += got;
  }
  if (ftruncate(target.number, bytes) != 0 || fsync(target.number) != 0) fail("written");
}

void Replacement::fail(const char* what) const {
  throw BadFile(target_, offset_, fmt::format("cannot be {}: {}", what, system_error()));
}

FolderReplacement::FolderReplacement(const std::string& target, std::vector<std::string> files,
                                     const char* kind) try
    : target_(target), files_(std::move(files)) {
  while (target_.size() > 1 && target_.ends_with('/')) target_.pop_back();
  target_ = resolved(target_);
  std::error_code error;
  const bool there = fs::exists(target_, error);
  if (there) {
    if (!fs::is_directory(target_, error)) throw BadFile(target_, "is there already, and is no folder");
    for (const std::string& name : names_in(target_)) {
      if (std::find(files_.begin(), files_.end(), name) == files_.end())
        throw BadFile(target_,
                      fmt::format("holds '{}', which is no file of {}; choose another folder", name, kind));
    }
  }
  if (error) throw BadFile(target_, "cannot be examined: " + error.message());
  const Section section;
  unfinished().reserve(unfinished().size() + files_.size() + 1);
  path_ = new_name(target_, [&](const char* path) { return mkdir(path, there ? 0700 : 0777) == 0; });
  if (path_.empty()) throw BadFile(target_, "cannot be created: " + system_error());
  try {
    for (const std::string& name : files_) unfinished().push_back((fs::path(path_) / name).string());
  } catch (...) {
    remove(path_);
    forget(path_);
    throw;
  }
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

FolderReplacement::~FolderReplacement() {
  if (path_.empty()) return;
  const Section section;
  remove(path_);
  forget(path_);
}

void FolderReplacement::commit() try {
  for (const std::string& name : files_)
    keep_mode((fs::path(path_) / name).string(), (fs::path(target_) / name).string());
  keep_mode(path_, target_);
  sync_folder(path_);
  {
    const Section section;
    bool moved = rename(path_.c_str(), target_.c_str()) == 0;  // onto nothing, or onto an empty folder
    if (!moved && renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
      remove(target_);
      moved = rename(path_.c_str(), target_.c_str()) == 0;
      if (!moved) throw BadFile(target_, "cannot be replaced: " + system_error());
    }
    if (moved) {
      forget(path_);
      path_.clear();
    }
  }
  sync_folder(parent_of(target_));  // what was exchanged is at path_ now and goes with this object
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

void FolderReplacement::remove(
    const std::string& folder) const {  // a destructor calls it: nothing is allocated
  const int opened = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (const std::string& name : files_) unlinkat(opened, name.c_str(), 0);
  if (opened >= 0) close(opened);
  rmdir(folder.c_str());
}

std::vector<std::string> names_in(const std::string& folder) {
  return detail::translated([&] {
    const std::unique_ptr<DIR, int (*)(DIR*)> opened(opendir(folder.c_str()), &closedir);
    if (!opened) throw BadFile(folder, "cannot be read: " + system_error());
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = readdir(opened.get())) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      errno = 0;
    }
    if (errno != 0) throw BadFile(folder, "cannot be read: " + system_error());
    return names;
  });
}

std::string read_file(const std::string& path, const char* wanted) try {
  Input input(path, wanted);
  std::string text(input.size(), '\0');
  input.read(text.data(), text.size());
  return text;
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

void write_file(const std::string& path, std::string_view text) {
  Replacement replacement(path);
  replacement.write(text.data(), text.size());
  replacement.commit();
}

void require_writable(const std::string& path) try {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !special(info)) {
    Replacement{path};
  } else if (faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {  // opening would start its reader
    throw BadFile(path, "cannot be written: " + system_error());
  }
} catch (const std::bad_alloc&) {
  detail::throw_out_of_memory();
}

void clean_up_on_signals() {
  unfinished();  // made now: a handler must not allocate
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction ending {};
  ending.sa_handler = remove_unfinished_and_end;
  ending.sa_mask = endings();
  ending.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : kEndings) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &ending, nullptr);
  }
}

}  // namespace tandem::file
