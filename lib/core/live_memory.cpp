#include "lib/core/live_memory.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace tandem::live_memory {
namespace {

std::mutex mutex;
std::multimap<const std::byte*, const std::byte*>& ranges() {  // end by begin
  static auto& instance =
      *new std::multimap<const std::byte*, const std::byte*>;  // for contexts that are static, too
  return instance;
}

}  // namespace

void add(const void* begin, std::size_t bytes) {
  if (bytes == 0) return;
  const auto* first = static_cast<const std::byte*>(begin);
  const std::lock_guard lock(mutex);
  ranges().emplace(first, first + bytes);
}

void remove(const void* begin, std::size_t bytes) noexcept {
  const auto* first = static_cast<const std::byte*>(begin);
  const std::lock_guard lock(mutex);
  auto [at, last] = ranges().equal_range(first);
  while (at != last && at->second != first + bytes) ++at;
  if (at != last) ranges().erase(at);
}

std::vector<Range> snapshot() {
  const std::lock_guard lock(mutex);
  std::vector<Range> joined;
  for (const auto& [begin, end] : ranges()) {
    if (!joined.empty() && begin < joined.back().end)
      joined.back().end = std::max(joined.back().end, end);
    else
      joined.push_back({begin, end});
  }
  return joined;
}

}  // namespace tandem::live_memory
