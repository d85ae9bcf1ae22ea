#include "lib/core/live_memory.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace tandem::live_memory {
namespace {

struct Owned {
  const std::byte* end;
  int rank;  // −1: anybody's
};

std::mutex mutex;
thread_local int adding = -1;  // for which rank
/// By their begin. Never destroyed, for contexts that are static, too, and made without memory, since remove() may be the first to
/// ask where memory ran out in add().
std::multimap<const std::byte*, Owned>& ranges() {
  using Ranges = std::multimap<const std::byte*, Owned>;
  alignas(Ranges) static std::byte place[sizeof(Ranges)];
  static auto& instance = *new (place) Ranges;
  return instance;
}

}  // namespace

void add(const void* begin, std::size_t bytes) {
  if (bytes == 0) return;
  const auto* first = static_cast<const std::byte*>(begin);
  const std::lock_guard lock(mutex);
  ranges().emplace(first, Owned{first + bytes, adding});
}

void remove(const void* begin, std::size_t bytes) noexcept {
  const auto* first = static_cast<const std::byte*>(begin);
  const std::lock_guard lock(mutex);
  auto [at, last] = ranges().equal_range(first);
  while (at != last && at->second.end != first + bytes) ++at;
  if (at != last) ranges().erase(at);
}

std::vector<Range> snapshot(int rank) {
  const std::lock_guard lock(mutex);
  std::vector<Range> joined;
  for (const auto& [begin, owned] : ranges()) {
    const std::byte* const end = owned.end;
    if (owned.rank >= 0 && rank >= 0 && owned.rank != rank) continue;
    if (!joined.empty() && begin < joined.back().end)
      joined.back().end = std::max(joined.back().end, end);
    else
      joined.push_back({begin, end});
  }
  return joined;
}

OfRank::OfRank(int rank) : before_(std::exchange(adding, rank)) {}
OfRank::~OfRank() { adding = before_; }

}  // namespace tandem::live_memory
