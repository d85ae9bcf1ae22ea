#pragma once
// What a fuzz target is: a file that hands any bytes to a parser and aborts where a promise is broken. With
// driver.cpp it is a test, which tries variants of the seeds; with clang's -fsanitize=fuzzer it is a libFuzzer
// program (make fuzz TARGET=npy).

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

/// Gives the bytes to the parser. What it refuses by a tandem::Error is refused rightly.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tandem::fuzz {

/// Inputs to start from, made by code: each is accepted as it is, and together they reach all of the parser.
std::vector<std::string> seeds();

/// Ends the program where a promise is broken.
inline void require(bool good, const char* promise) {
  if (good) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

/// A file in memory, for parsers that read files.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("fuzz", 0)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
    require(descriptor_ >= 0, "memfd_create gives a file");
  }
  MemoryFile(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }

  const std::string& path() const { return path_; }
  /// From now on it holds these bytes alone.
  void hold(std::string_view bytes) {
    require(ftruncate(descriptor_, 0) == 0, "the file is emptied");
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t put =
          pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      require(put > 0, "the file is written");
      done += static_cast<std::size_t>(put);
    }
  }

 private:
  int descriptor_;
  std::string path_;
};

/// The bytes of a file.
inline std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The bytes of the file that write(path) writes.
template <class Write>
std::string written(Write&& write) {
  std::string folder = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
  require(mkdtemp(folder.data()) != nullptr, "there is a folder for temporary files");
  write(folder + "/seed");
  const std::string bytes = slurp(folder + "/seed");
  std::filesystem::remove_all(folder);
  return bytes;
}

}  // namespace tandem::fuzz
