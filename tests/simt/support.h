#pragma once
// What tests that hold their own kernels need.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/live_memory.h"
#include "tandem/device/launch.cuh"
#include "tandem/device/vector_access.cuh"
#include "tests/support.h"

namespace tandem {

/// An array that kernels may touch, as a context's arrays are.
template <class T>
class Memory : public std::vector<T> {
 public:
  explicit Memory(std::size_t size) : std::vector<T>(size) {
    live_memory::add(this->data(), size * sizeof(T));
  }
  Memory(const Memory&) = delete;
  ~Memory() { live_memory::remove(this->data(), this->size() * sizeof(T)); }
};

/// "<file>:<line>" of the line of this source file that ends in "// @<mark>".
inline std::string marked(std::string_view path, const std::string& mark) {
  std::ifstream file(std::filesystem::path(TANDEM_BUILD_DIR) /
                     path);  // a compiler cache may keep it relative
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("// @" + mark))
      return std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(number);
  }
  FAIL("no line of ", std::string(path), " is marked ", mark);
  return {};
}

}  // namespace tandem
