#include "lib/core/test_elements.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace tandem::detail {
namespace {
// By depth. Those of the last one and beyond are counted together, and make no peak: so deep is only a chain.
std::array<std::atomic<std::int64_t>, 1 << 12> applications{};
}  // namespace

Complexity take_applications() {
  Complexity taken;
  for (auto& of_depth : applications) {
    const std::int64_t count = of_depth.exchange(0);
    taken.work += count;
    if (&of_depth != &applications.back()) taken.peak = std::max(taken.peak, count);
  }
  return taken;
}
void count_application(std::int32_t depth) {
  const auto last = static_cast<std::int32_t>(applications.size()) - 1;
  applications[static_cast<std::size_t>(std::min(depth, last))].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace tandem::detail
