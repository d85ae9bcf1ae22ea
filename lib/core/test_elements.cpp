#include "lib/core/test_elements.h"

#include <atomic>

namespace tandem::detail {
namespace {
std::atomic<std::int64_t> applications = 0;
}

std::int64_t take_applications() { return applications.exchange(0); }
void count_application() { applications.fetch_add(1, std::memory_order_relaxed); }

}  // namespace tandem::detail
