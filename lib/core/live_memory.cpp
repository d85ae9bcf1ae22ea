#include "lib/core/live_memory.h"

#include <algorithm>
#include <mutex>

namespace tandem::live_memory {
namespace {

std::mutex mutex;
std::vector<Range>& ranges() {
  static std::vector<Range> instance;
  return instance;
}

}  // namespace

void add(const void* begin, std::size_t bytes) {
  if (bytes == 0) return;
  const auto* first = static_cast<const std::byte*>(begin);
  const std::lock_guard lock(mutex);
  ranges().push_back({first, first + bytes});
}

void remove(const void* begin, std::size_t bytes) noexcept {
  const auto* first = static_cast<const std::byte*>(begin);
  const std::lock_guard lock(mutex);
  auto& all = ranges();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Range& r) { return r.begin == first && r.end == first + bytes; });
  if (found != all.end()) all.erase(found);
}

std::vector<Range> snapshot() {
  std::vector<Range> all;
  {
    const std::lock_guard lock(mutex);
    all = ranges();
  }
  std::sort(all.begin(), all.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> joined;
  for (const Range& r : all) {
    if (!joined.empty() && r.begin < joined.back().end)
      joined.back().end = std::max(joined.back().end, r.end);
    else
      joined.push_back(r);
  }
  return joined;
}

}  // namespace tandem::live_memory
