#include "lib/core/host_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "tandem/error.h"

namespace tandem {
namespace {

constexpr double kNotAsked = 16 << 20;  // bytes

/// What the system says that programs can take without swapping, and the swap; SIZE_MAX without /proc.
std::size_t available() {
  std::ifstream info("/proc/meminfo");
  std::size_t sum = 0;
  bool known = false;
  std::string name, unit;
  for (std::size_t kilobytes; info >> name >> kilobytes && std::getline(info, unit);) {
    if (name != "MemAvailable:" && name != "SwapFree:") continue;
    sum += kilobytes << 10;
    known = true;
  }
  return known ? sum : SIZE_MAX;
}

/// The number at the start of a file; SIZE_MAX where there is none ("max", or no such file).
std::size_t number_in(const char* path) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : SIZE_MAX;
}

/// What the limit of the address space leaves.
std::size_t address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  const std::size_t pages = number_in("/proc/self/statm");
  if (pages == SIZE_MAX) return limit.rlim_cur;
  return limit.rlim_cur -
         std::min<std::size_t>(limit.rlim_cur, pages * static_cast<std::size_t>(getpagesize()));
}

}  // namespace

std::size_t free_host_memory() {
  return std::min({available(), number_in("/sys/fs/cgroup/memory.max"), address_space()});
}

void require_host_memory(std::string_view what, double bytes) {
  if (bytes <= kNotAsked) return;
  const std::size_t free = free_host_memory();
  if (bytes <= static_cast<double>(free)) return;
  constexpr double kMost = 0x1p63;
  throw OutOfMemory("host for " + std::string(what), static_cast<std::size_t>(std::min(bytes, kMost)), free);
}

}  // namespace tandem
